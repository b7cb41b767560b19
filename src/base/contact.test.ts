import { expect, it } from 'vitest'
import { contactLine, isPhone, phoneLink } from './contact.ts'

it.each([
  [
    'Kirsten Overgaard',
    '33 12 34 56',
    'post@example.dk',
    'Kirsten Overgaard · 33 12 34 56 · post@example.dk',
  ],
  ['', '33 12 34 56', '', '33 12 34 56'],
  ['', '', '', ''],
])('writes the contact line of %j, %j, %j as %j', (contactPerson, phone, email, line) => {
  expect(contactLine({ contactPerson, phone, email })).toBe(line)
})

it.each([
  ['33123456', true],
  ['+45 33 12 34 56', true],
  ['+45 (33) 12-34.56', true],
  ['112', false],
  ['33 12 34 5x', false],
  ['33+12 34 56', false],
  ['1234567890123456', false],
  ['()()()()', false],
  ['', false],
])('whether %j is a telephone number: %j', (text, is) => {
  expect(isPhone(text)).toBe(is)
})

it('writes a telephone link with digits only', () => {
  expect(phoneLink('+45 (33) 12-34.56')).toBe('tel:+4533123456')
})
