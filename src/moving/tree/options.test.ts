import { expect, it } from 'vitest'
import { readOptions } from './options.ts'

const PLAIN = {
  act: 'import',
  directory: '/drev',
  dryRun: null,
  from: null,
  report: null,
  isDraft: false,
  by: null,
}

it.each<[args: string, expected: object | RegExp]>([
  ['/drev', PLAIN],
  ['/drev --dry-run t.xlsx', { ...PLAIN, dryRun: 't.xlsx' }],
  ['--from t.csv /drev --report r.xlsx', { ...PLAIN, from: 't.csv', report: 'r.xlsx' }],
  ['/drev --draft --by a@b.dk', { ...PLAIN, isDraft: true, by: 'a@b.dk' }],
  ['--list', { act: 'list' }],
  ['--undo 12', { act: 'undo', id: 12 }],
  ['', /Which directory/],
  ['/a /b', /one directory/],
  ['/a --dry-run', /needs a value/],
  ['/a --dry-run --draft', /needs a value/],
  ['/a --dry-run t.csv', /ends in .xlsx/],
  ['/a --from t.pdf', /\.csv/],
  ['/a --draft', /needs --by/],
  ['--undo abc', /number of an import/],
  ['--undo 3 /a', /stands alone/],
  ['--list --draft', /stands alone/],
  ['/a --by x --by y', /twice/],
])('reads the options “%s”', (args, expected) => {
  const found = readOptions(args.split(' ').filter(Boolean))
  if (expected instanceof RegExp) expect(found).toMatch(expected)
  else expect(found).toEqual(expected)
})
