import { describe, expect, it } from 'vitest'
import { dayForKey, daysAfter, monthsAfter, readDay, weeksOf, writeDay } from './days.ts'

describe('a typed date', () => {
  it.each([
    ['15/11/2026', '2026-11-15'],
    [' 15/11/2026 ', '2026-11-15'],
    ['1/2/2026', '2026-02-01'],
    ['01.02.2026', '2026-02-01'],
    ['1-2-2026', '2026-02-01'],
    ['15112026', '2026-11-15'],
    ['2026-11-15', '2026-11-15'],
    ['29/02/2024', '2024-02-29'],
    ['01/01/1800', '1800-01-01'],
    ['31/12/2199', '2199-12-31'],
    ['', null],
    [' ', null],
  ])('S9.7 reads the typed date %j as %j', (text, day) => {
    expect(readDay(text)).toEqual({ day })
  })

  const NO_DATE = 'Skriv datoen som dd/mm/åååå.'
  const TOO_FAR = 'Skriv en dato fra 1800 til 2199.'
  it.each([
    ['31/02/2026', '31/02/2026 findes ikke.'],
    ['29.2.2026', '29/02/2026 findes ikke.'],
    ['2026-02-30', '30/02/2026 findes ikke.'],
    ['11/15/2026', '11/15/2026 findes ikke.'],
    ['0/1/2026', '00/01/2026 findes ikke.'],
    ['31/12/1799', TOO_FAR],
    ['01/01/2200', TOO_FAR],
    ['0202-03-01', TOO_FAR],
    ['15/11/26', NO_DATE],
    ['15/11', NO_DATE],
    ['15/11-2026', NO_DATE],
    ['1112026', NO_DATE],
    ['15/11/20266', NO_DATE],
    ['i går', NO_DATE],
    ['9'.repeat(1000), NO_DATE],
  ])('refuses the typed date %j: %s', (text, fault) => {
    expect(readDay(text)).toEqual({ fault })
  })

  it('reads a date back as it was written', () => {
    expect(readDay(writeDay('2026-03-01'))).toEqual({ day: '2026-03-01' })
  })
})

describe('a calendar', () => {
  it.each([
    ['2026-11-15', 6, '2026-10-26', '2026-12-06'],
    ['2026-02-01', 5, '2026-01-26', '2026-03-01'],
    ['2027-02-10', 4, '2027-02-01', '2027-02-28'],
  ])('S9.7 the calendar of %s has %i weeks that begin on Monday', (day, count, first, last) => {
    const weeks = weeksOf(day)
    expect([weeks.length, weeks[0]![0], weeks.at(-1)!.at(-1)]).toEqual([count, first, last])
    expect(weeks.every((week) => week.length === 7 && new Date(week[0]!).getUTCDay() === 1)).toBe(true)
  })

  it.each([
    ['2026-11-15', 'ArrowLeft', false, '2026-11-14'],
    ['2026-10-31', 'ArrowRight', false, '2026-11-01'],
    ['2026-11-03', 'ArrowUp', false, '2026-10-27'],
    ['2026-11-15', 'ArrowDown', false, '2026-11-22'],
    ['2026-11-15', 'Home', false, '2026-11-09'],
    ['2026-11-11', 'End', false, '2026-11-15'],
    ['2026-03-31', 'PageUp', false, '2026-02-28'],
    ['2026-01-31', 'PageDown', false, '2026-02-28'],
    ['2024-02-29', 'PageUp', true, '2023-02-28'],
    ['2026-11-15', 'PageDown', true, '2027-11-15'],
    ['2199-12-31', 'PageDown', false, '2199-12-31'],
    ['1800-01-01', 'ArrowLeft', false, '1800-01-01'],
    ['2026-11-15', 'a', false, null],
    ['2026-11-15', 'constructor', false, null],
  ])('in the calendar, from %s the key %s (with Shift: %s) leads to %s', (day, key, hasShift, to) => {
    expect(dayForKey(day, key, hasShift)).toBe(to)
  })

  it('counts days across a change of the clocks or of the year', () => {
    expect([daysAfter('2026-03-28', 2), daysAfter('2026-12-31', 1)]).toEqual(['2026-03-30', '2027-01-01'])
    expect(monthsAfter('2026-12-31', -13)).toBe('2025-11-30')
  })
})
