import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { commonPasswords } from './common-passwords.server.ts'
import { PROJECT } from '../../server/process/project-directory.ts'
import { passwordFault } from './password.ts'

const who = { email: 'anne.marie.holm@kontoret-aps.dk', name: 'Anne Marie Kjærgaard Holm' }
const common = commonPasswords()
const faultOf = (password: string, isDemo = false) => passwordFault(password, who, { common, isDemo })

it.each([
  'korrekt hest batteri',
  'Tr0ub4dor&3x',
  `${'x'.repeat(100)} hest og batteri`,
  '🐴🔋📎✅ hest!',
  'tre små grise i haven',
  'Anne cykler til stranden',
  'holm ligger ved vandet 7',
  'password er et dårligt ord',
  'kx83vqpl0z',
  '7391640285',
  'hest48213907516',
])('accepts the password %j', (password) => {
  expect(faultOf(password)).toBeNull()
})

it.each([
  ['', /på mindst 10/],
  ['kort', /på mindst 10/],
  ['🐴'.repeat(9), /på mindst 10/],
  ['x'.repeat(201), /højst være på 200/],
  // Repeats and runs.
  ['aaaaaaaaaaaa', /almindelig/],
  ['121212121212', /gentager/],
  ['abcabcabcabc', /gentager/],
  ['abcdabcdabcd', /gentager/],
  ['1234567891', /almindelig/],
  ['2345678923', /gentager/],
  ['æøåæøåabcd', /gentager/],
  ['9876543210', /almindelig/],
  ['1122334455', /almindelig|gentager/],
  ['abcdefghijkl', /almindelig/],
  ['asdfghjklæø', /gentager/],
  ['1q2w3e4r5t6y7u', /gentager/],
  ['zzzzzzzzzz1!', /almindelig/],
  ['!!!!!!!!!!!!', /gentager/],
  // Common passwords, also with a few characters around them.
  ['1234567890', /almindelig/],
  ['qwerty1234', /almindelig/],
  ['qwertyuiop', /almindelig/],
  ['1qaz2wsx3edc', /almindelig/],
  ['Password2026', /almindelig/],
  ['P@ssw0rd2026', /almindelig/],
  ['2026Password', /almindelig/],
  ['monkey123456', /almindelig/],
  ['$unshine2026', /almindelig/],
  ['manchester', /almindelig/],
  ['michael12031985', /almindelig/],
  ['Adgangskode123', /almindelig/],
  ['Velkommen2026!', /almindelig/],
  ['Sommer!2026', /almindelig/],
  ['København2026', /almindelig/],
  ['investor123', /almindelig/],
  // From near the end of the 100,000, alone and with something around them.
  ['caterpillar', /almindelig/],
  ['Photography', /almindelig/],
  ['ghtdtlvtldtl', /almindelig/],
  ['Hemicuda2026', /almindelig/],
  ['chantelle!123', /almindelig/],
  ['2026kwiatek', /almindelig/],
  ['0rv1lle2026', /almindelig/],
  // The product's name.
  ['Ringbind2026', /Ringbinds navn/],
  ['ringbind-demo', /Ringbinds navn/],
  ['ringbind-anne-1', /Ringbinds navn/],
  // The person's own name and e-mail.
  ['anne marie holm', /navn eller din e-mail/],
  ['Anne.Marie.Holm@kontoret-aps.dk', /navn eller din e-mail/],
  ['anne.marie.holm', /navn eller din e-mail/],
  ['AnneMarie2026!', /navn eller din e-mail/],
  ['holm12031985', /navn eller din e-mail/],
  ['Kjærgaard1!', /navn eller din e-mail/],
  ['kjaergaard2026', /navn eller din e-mail/],
  ['Kontoret2026', /navn eller din e-mail/],
])('refuses the password %j', (password, fault) => {
  expect(faultOf(password)).toMatch(fault)
})

it('the demo password is accepted in the demo only', () => {
  expect(faultOf('ringbind-demo', true)).toBeNull()
  expect(faultOf('ringbind-demo2', true)).toMatch(/Ringbind/)
})

it('checking the longest password is fast', () => {
  const began = performance.now()
  for (const password of ['a'.repeat(200), 'anne'.repeat(50), 'ab'.repeat(100), '1'.repeat(200)])
    faultOf(password)
  expect(performance.now() - began).toBeLessThan(500)
})

it.each(['bo19450317@example.dk', 'Bo19450317', 'bo19450317@example.dk!', '12bo19450317'])(
  'refuses one’s own e-mail as the password, with any digits: %s',
  (password) => {
    const owner = { email: 'bo19450317@example.dk', name: 'Bo' }
    expect(passwordFault(password, owner, { common: new Set() })).toMatch(/din e-mail/)
    expect(passwordFault(`${password} og en lang sætning`, owner, { common: new Set() })).toBeNull()
  },
)

it('the list of common passwords stays on the server', async () => {
  const built = new URL('dist/client/', PROJECT)
  const files = (await readdir(built, { recursive: true })).filter((name) => name.endsWith('.js'))
  expect(files.length).toBeGreaterThan(0)
  for (const name of files) {
    const source = await readFile(new URL(name, built), 'utf8')
    expect(source).not.toContain('kommanditselskab selskab')
    expect(source).not.toContain('1029384756')
  }
})
