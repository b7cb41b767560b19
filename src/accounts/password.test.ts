import { expect, it } from 'vitest'
import { passwordFault } from './password.ts'

const who = { email: 'anne.marie.holm@example.dk', name: 'Anne Marie Holm' }

it.each(['korrekt hest batteri', 'æøåæøåabcd', 'Tr0ub4dor&3x', 'x'.repeat(100) + 'abc', '🐴🔋📎✅ hest!'])(
  'takes %j',
  (password) => {
    expect(passwordFault(password, who)).toBeNull()
  },
)

it.each([
  ['', /på mindst 10/],
  ['kort', /på mindst 10/],
  ['🐴'.repeat(9), /på mindst 10/],
  ['x'.repeat(201), /højst være på 200/],
  ['aaaaaaaaaaaa', /gentager/],
  ['121212121212', /gentager/],
  ['1234567890', /almindelig/],
  ['Adgangskode123', /almindelig/],
  ['anne marie holm', /navn eller din e-mail/],
  ['Anne.Marie.Holm@example.dk', /navn eller din e-mail/],
  ['anne.marie.holm', /navn eller din e-mail/],
])('refuses %j', (password, fault) => {
  expect(passwordFault(password, who)).toMatch(fault)
})
