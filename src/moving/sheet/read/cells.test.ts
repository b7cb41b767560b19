import { describe, expect, it } from 'vitest'
import { USER_FIELDS } from '../../../accounts/users/user.fields.ts'
import { PROJECT_FIELDS } from '../../../projects/project/project.fields.ts'
import { projectNumber, readCell, readDate, readYearEnd, textsIn } from './cells.ts'

const readRole = (text: string) => readCell(USER_FIELDS.role, text)
const readStatus = (text: string) => readCell(PROJECT_FIELDS.status, text)

describe('cells of a sheet', () => {
  it.each([
    ['Aktiv', 'active'],
    [' under  AFVIKLING ', 'closing'],
    ['Solgt.', 'sold'],
    ['i likvidation', 'closing'],
  ])('reads the status %j', (text, value) => expect(readStatus(text)).toEqual({ value }))

  it.each([
    ['Investor', 'investor'],
    ['REVISOR', 'auditor'],
    ['ra\u030adgiver', 'adviser'],
    ['medarbejder', 'employee'],
    ['Administrator', 'administrator'],
  ])('reads the role %j', (text, value) => expect(readRole(text)).toEqual({ value }))

  it.each([
    ['december', 12],
    ['Dec.', 12],
    ['12', 12],
    ['31/12', 12],
    ['31-12-2025', 12],
    ['2025-06-30', 6],
    ['30. juni', 6],
    ['den 30 september', 9],
    ['28/2', 2],
    ['29.02', 2],
    ['kalenderåret', 12],
    ['maj', 5],
  ])('reads %j as the end of a year', (text, value) => expect(readYearEnd(text)).toEqual({ value }))

  it.each(['13', '0', 'vinter', 'ja', '30/12', '31/6', '2024/25', 'j'])(
    'refuses %j as the end of a year',
    (text) => expect(readYearEnd(text)).toHaveProperty('fault'),
  )

  it.each([
    ['01/07/2015', '2015-07-01'],
    ['1.7.2015', '2015-07-01'],
    ['2015-07-01', '2015-07-01'],
    ['2015-07-01 00:00:00', '2015-07-01'],
  ])('reads the day %j', (text, value) => expect(readDate(text)).toEqual({ value }))

  it.each(['31/02/2020', 'i går', '01/07/15', '42186'])('refuses the day %j', (text) =>
    expect(readDate(text)).toHaveProperty('fault'),
  )

  it.each([
    ['1024, 1042;1051\n1060', ['1024', '1042', '1051', '1060']],
    [' 1024 ,, 1024', ['1024']],
    ['1055 / 1157', ['1055', '1157']],
    ['1055/1157/1200', ['1055', '1157', '1200']],
    ['1055 og 1157 + 1200', ['1055', '1157', '1200']],
    ['K/S Nord / K/S Syd', ['K/S Nord', 'K/S Syd']],
    ['\u200b', []],
  ])('splits %j into several texts', (text, texts) => expect(textsIn(text)).toEqual(texts))

  it.each([
    ['1055', '1055'],
    ['K/S 1055', '1055'],
    ['ks 1055', '1055'],
    ['K/S Nord', 'K/S Nord'],
  ])('reads the project %j', (text, number) => expect(projectNumber(text)).toBe(number))

  it.each(['status', 'x'.repeat(10_000)])('refuses an unknown status or role: %#', (text) => {
    expect(readStatus(text)).toHaveProperty('fault')
    expect(readRole(text)).toHaveProperty('fault')
    expect(readYearEnd(text)).toHaveProperty('fault')
    expect(readDate(text)).toHaveProperty('fault')
  })
})
