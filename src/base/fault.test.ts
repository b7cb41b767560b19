import { describe, expect, it } from 'vitest'
import { processorMs } from '../../test/load/processor-ms.ts'
import { cleanFault } from './fault.ts'

const clean = (more: Partial<Parameters<typeof cleanFault>[0]>) =>
  cleanFault({ message: '', stack: '', page: '/', build: '', ...more })

describe('the message of a fault in the log', () => {
  it.each([
    [
      "TypeError: Cannot read properties of undefined (reading 'name')",
      "TypeError: Cannot read properties of undefined (reading 'name')",
    ],
    [
      'Minified React error #418; visit https://react.dev/errors/418?args[]=HTML&args[]=Hans',
      'Minified React error #418; visit https://react.dev/errors/418',
    ],
    [
      'Unexpected token \'H\', "Hans Jensen" is not valid JSON',
      'Unexpected token \'H\', "…" is not valid JSON',
    ],
    ['Unexpected token, "Hans Jen', 'Unexpected token, "…"'],
    ["'Hans Jensen' is not a function", '"…" is not a function'],
    ["can't convert `Åse` or 'Bo", 'can\'t convert "…" or "…"'],
    ['Nothing is known of hans.jensen+ks@firma.co.dk here', 'Nothing is known of …@… here'],
    ['CVR 12 34 56 78, CPR 010190-1234, kr. 1.234.567,00', 'CVR …, CPR …, kr. …'],
    ['Phone +45 12345678 and year 2026', 'Phone +… and year …'],
    ['Invalid array length 123', 'Invalid array length 123'],
    ['two\nlines\u0000', 'two lines'],
  ])('writes the message %j as %j', (message, cleaned) => {
    expect(clean({ message }).message).toBe(cleaned)
  })

  it('cuts a long message', () => {
    expect(clean({ message: 'x'.repeat(100_000) }).message).toHaveLength(300)
  })
})

describe('the stack of a fault in the log', () => {
  it.each([
    ['    at draw (https://office.dk/assets/frame-Bx1.js:1:25012)', 'at draw (/assets/frame-Bx1.js:1:25012)'],
    ['draw@https://office.dk/assets/frame-Bx1.js:1:25012', 'draw@/assets/frame-Bx1.js:1:25012'],
    ['    at http://127.0.0.1:3000/src/ui/basic/button.tsx?t=1763:10:5', 'at /src/ui/basic/button.tsx:10:5'],
    [
      '    at onclick (https://office.dk/projects/1134/uploads?q=Hans:1:1)',
      'at onclick (/projects/…/uploads:1:1)',
    ],
    ['    at https://office.dk/reset-password/aBc-123_x:1:1', 'at /reset-password/…:1:1'],
    ['    at new Promise (<anonymous>)', ''],
    ['Error: Hans Jensen\n    at a (https://office.dk/assets/a.js:1:2)', 'at a (/assets/a.js:1:2)'],
  ])('writes the stack %j as %j', (stack, cleaned) => {
    expect(clean({ stack }).stack).toBe(cleaned)
  })

  it('keeps at most twenty lines of a stack', () => {
    expect(clean({ stack: 'at a (/assets/a.js:1:2)\n'.repeat(1000) }).stack.split('\n')).toHaveLength(20)
  })
})

it.each([
  ['/projects/12/uploads', '/projects/…/uploads'],
  ['/reset-password/Zm9vYmFyYmF6cXV4', '/reset-password/…'],
  ['/upload/result/2f0c', '/upload/result/…'],
  ['/projects?q=Hans#folder-2', '/projects'],
  ['/', '/'],
])('writes the page address %j as %j', (page, cleaned) => {
  expect(clean({ page }).page).toBe(cleaned)
})

it.each([
  ['index-Bx1_-y.js', 'index-Bx1_-y.js'],
  ['Hans Jensen', ''],
])('writes the build name %j as %j', (build, cleaned) => {
  expect(clean({ build }).build).toBe(cleaned)
})

it('cleans a hostile text as fast as any other', () => {
  for (const part of ["'", '"', '1 ', '@', 'a@', '?', '/', 'a.', ':1']) {
    const hostile = { message: part.repeat(3000), stack: `${part.repeat(3000)}:1:1` }
    expect([part, processorMs(() => clean(hostile)) < 1000]).toEqual([part, true])
  }
})
