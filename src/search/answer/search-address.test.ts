import { describe, expect, it } from 'vitest'
import { isAsked, isFiltered, NO_QUESTION, readSearch, writeSearch } from './search-address.ts'

const read = (address: string) => readSearch(new URLSearchParams(address))

describe('the address of a search', () => {
  it.each([
    ['', {}],
    ['?q=budget', { q: 'budget' }],
    ['?q=%22ordin%C3%A6r%20generalforsamling%22', { q: '"ordinær generalforsamling"' }],
    [
      '?q=budget&project=7&folder=%C3%85rsrapport&year=2025&type=pdf&by=3',
      { q: 'budget', project: 7, folder: 'Årsrapport', year: 2025, type: 'pdf', by: 3 },
    ],
    ['?from=2025-01-01&to=2025-12-31', { from: '2025-01-01', to: '2025-12-31' }],
    ['?q=budget&page=2', { q: 'budget', page: 2 }],
  ])('the address %s is read and written alike', (address, expected) => {
    const { question, errors } = read(address)
    expect(errors).toEqual({})
    expect(question).toEqual({ ...NO_QUESTION, ...expected })
    expect(writeSearch(question)).toBe(address)
  })

  it.each([
    ['?q=+%20budget%20++2025+', '?q=budget%202025'],
    ['?from=31/12/2025', '?from=2025-12-31'],
    ['?q=&project=&folder=&year=&type=&from=&to=', ''], // a form without JavaScript sends every field
    ['?q=a\u200bb', '?q=ab'],
  ])('the address %s is written as %s', (address, written) => {
    expect(read(address).errors).toEqual({})
    expect(writeSearch(read(address).question)).toBe(written)
  })

  it.each([
    [`?q=${'a'.repeat(201)}`, 'q'],
    ['?q=%ff', 'q'],
    ['?q=a&q=b', 'q'],
    ['?project=x', 'project'],
    ['?project=0', 'project'],
    ['?project=-1', 'project'],
    ['?project=99999999999999999', 'project'],
    ['?by=1.5', 'by'],
    [`?folder=${'a'.repeat(201)}`, 'folder'],
    ['?year=1799', 'year'],
    ['?year=2200', 'year'],
    ['?year=25', 'year'],
    ['?type=exe', 'type'],
    ['?type=toString', 'type'],
    ['?from=31/02/2025', 'from'],
    ['?to=i+g%C3%A5r', 'to'],
    ['?page=0', 'page'],
    ['?page=101', 'page'],
    ['?page=1e1', 'page'],
    ['?sort=name', 'sort'],
    ['?constructor=x', 'constructor'],
    ['?from=2025-02-01&to=2025-01-31', 'to'],
  ])('the address %s has a fault and is ignored', (address, fault) => {
    const { question, errors } = read(address)
    expect(Object.keys(errors)).toEqual([fault])
    expect(question).toEqual(NO_QUESTION)
  })

  it.each([
    ['', false, false],
    ['?page=2', false, false],
    ['?q=a', true, false],
    ['?year=2025', true, true],
    ['?q=a&from=2025-01-01', true, true],
  ])('the address %s asks for something: %s, with filters: %s', (address, asks, filters) => {
    const { question } = read(address)
    expect([isAsked(question), isFiltered(question)]).toEqual([asks, filters])
  })
})
