import { describe, expect, it } from 'vitest'
import { EVERYTHING, readListQuery, writeListQuery } from './list-query.ts'

const COLUMNS = ['name', 'number']
const read = (address: string) => readListQuery(new URLSearchParams(address), COLUMNS)

describe('readListQuery', () => {
  it.each([
    ['', EVERYTHING],
    ['q=%C3%A5rs', { ...EVERYTHING, q: 'års' }],
    ['q=a+b%25_%27%22', { ...EVERYTHING, q: `a b%_'"` }],
    ['q=%20%20', EVERYTHING],
    ['q=a+b+c+d+e+f+g+h+i+j+j', { ...EVERYTHING, q: 'a b c d e f g h i j j' }], // ten words, one of them twice
    ['page=7', { ...EVERYTHING, page: 7 }],
    ['page=1000000000', { ...EVERYTHING, page: 1e9 }],
    ['sort[column]=name&sort[direction]=asc', { ...EVERYTHING, sort: { column: 'name', direction: 'asc' } }],
    ['sort%5Bcolumn%5D=name', { ...EVERYTHING, sort: { column: 'name', direction: 'desc' } }],
    ['sort[direction]=asc', EVERYTHING],
    ['utm_source=mail', EVERYTHING],
  ])('S7.3 reads %j', (address, query) => {
    expect(read(address)).toEqual({ query, errors: {} })
  })

  it.each([
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=abc', 'page'],
    ['page=1.5', 'page'],
    ['page=', 'page'],
    ['page=1e9', 'page'],
    ['page=99999999999999999999', 'page'],
    [`q=${'x'.repeat(10_000)}`, 'q'],
    ['q=%ED%A0%80', 'q'], // half a surrogate pair
    ['q=%FF', 'q'],
    ['q=a+b+c+d+e+f+g+h+i+j+k', 'q'], // eleven words
    ['sort[column]=password_hash', 'sort.column'],
    ['sort[column]=', 'sort.column'],
    ['sort[column]=constructor', 'sort.column'],
    ['sort[column]=name&sort[direction]=sideways', 'sort.direction'],
    ['sort[direction]=ASC', 'sort.direction'],
    ['q[]=', 'q.'],
    ['sort=name', 'sort'],
    ['sort[column][]=name', 'sort.column.'],
    ['page[x]=2', 'page.x'],
  ])('reports %j as a fault of %s, and uses the default', (address, field) => {
    const { query, errors } = read(address)
    expect(Object.keys(errors)).toEqual([field])
    expect({ ...query, sort: field === 'sort.direction' ? null : query.sort }).toEqual(EVERYTHING)
  })

  it('reports all faults at once', () => {
    expect(Object.keys(read('page=0&sort[column]=x&sort[direction]=y').errors)).toHaveLength(3)
  })
})

it.each([
  ['filter=late&kind=investor', { ...EVERYTHING, filter: 'late', kind: 'investor' }, []],
  ['filter=never', EVERYTHING, ['filter']],
  ['kind=late', EVERYTHING, ['kind']],
])('reads the filters of a list that has them: %s', (address, query, faults) => {
  const reading = readListQuery(new URLSearchParams(address), COLUMNS, ['late'], ['investor'])
  expect([reading.query, Object.keys(reading.errors)]).toEqual([query, faults])
  expect(readListQuery(new URLSearchParams(address), COLUMNS)).toEqual({ query: EVERYTHING, errors: {} })
})

describe('writeListQuery', () => {
  it.each([
    [EVERYTHING, ''],
    [{ ...EVERYTHING, q: 'æ & #%' }, '?q=%C3%A6%20%26%20%23%25'],
    [
      { q: 'a', page: 2, sort: { column: 'name', direction: 'asc' as const } },
      '?q=a&page=2&sort[column]=name&sort[direction]=asc',
    ],
  ])('writes the query %j as %j, and reads it back', (query, address) => {
    expect(writeListQuery(query)).toBe(address)
    expect(read(address)).toEqual({ query, errors: {} })
  })

  it('accepts half a surrogate pair', () => {
    expect(writeListQuery({ ...EVERYTHING, q: '\ud800' })).toBe('?q=%EF%BF%BD')
  })
})

describe('a list with filters', () => {
  const readFiltered = (address: string) => readListQuery(new URLSearchParams(address), COLUMNS, ['opened'])

  it('reads and writes the filter of a list', () => {
    const query = { ...EVERYTHING, q: 'nord', filter: 'opened' }
    expect(readFiltered('q=nord&filter=opened')).toEqual({ query, errors: {} })
    expect(writeListQuery(query)).toBe('?q=nord&filter=opened')
  })

  it.each(['filter=closed', 'filter=', 'filter=opened&filter=opened', 'filter[]=opened'])(
    'reports %j as a fault, and uses no filter',
    (address) => {
      expect(Object.keys(readFiltered(address).errors)).toHaveLength(1)
    },
  )

  it('ignores a filter that the list does not have', () => {
    expect(read('filter=opened')).toEqual({ query: EVERYTHING, errors: {} })
  })
})
