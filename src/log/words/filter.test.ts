import { describe, expect, it } from 'vitest'
import { readLogQuery, WHOLE_LOG, writeLogQuery, type LogQuery } from './filter.ts'

const read = (address: string) => readLogQuery(new URLSearchParams(address))

describe('the filters in an address', () => {
  it.each<[string, Partial<LogQuery>]>([
    ['', {}],
    ['?person=7', { person: 7 }],
    ['?person=7&project=3&act=file-opened&page=2', { person: 7, project: 3, act: 'file-opened', page: 2 }],
    ['?file=12', { file: 12 }],
    ['?period=week', { period: 'week' }],
    ['?from=2026-03-01&to=2026-03-31', { from: '2026-03-01', to: '2026-03-31' }],
    ['?to=2026-03-31', { to: '2026-03-31' }],
    ['?from=2026-03-01&to=2026-03-01', { from: '2026-03-01', to: '2026-03-01' }],
  ])('the filter %s is read, and written the same', (address, asked) => {
    const query = { ...WHOLE_LOG, ...asked }
    expect(read(address)).toEqual({ query, errors: {} })
    expect(writeLogQuery(query)).toBe(address)
  })

  it('reads dates in the format of the form too', () => {
    expect(read('?from=1/3/2026&to=31%2F03%2F2026')).toEqual({
      query: { ...WHOLE_LOG, from: '2026-03-01', to: '2026-03-31' },
      errors: {},
    })
    expect(read('?from=31/02/2026').errors).toEqual({ from: ['31/02/2026 findes ikke.'] })
  })

  it('ignores empty fields of a form, and reads dates if they are chosen', () => {
    expect(read('person=&act=&period=dates&from=2026-01-02&to=')).toEqual({
      query: { ...WHOLE_LOG, from: '2026-01-02' },
      errors: {},
    })
  })

  it.each([
    ['?person=0', 'person'],
    ['?person=x', 'person'],
    ['?person=1e3', 'person'],
    ['?person=99999999999999999999', 'person'],
    ['?project=-1', 'project'],
    ['?file=1.5', 'file'],
    ['?act=file', 'act'],
    ['?act=constructor', 'act'],
    ['?period=decade', 'period'],
    ['?page=0', 'page'],
    ['?from=2026-02-30', 'from'],
    ['?from=31/02/2026', 'from'],
    ['?from=31/03/26', 'from'],
    ['?to=0202-03-01', 'to'],
    ['?from=2026-03-02&to=2026-03-01', 'to'],
    ['?person=1&person=2', 'person'],
    ['?person[id]=1', 'person[id]'],
    ['?user=7', 'user'],
    ['?constructor=7', 'constructor'],
  ])('the filter %s is wrong and ignored', (address, field) => {
    const { query, errors } = read(address)
    expect(Object.keys(errors)).toEqual([field])
    expect(query).toEqual(WHOLE_LOG)
  })

  it('a named period takes precedence over dates', () => {
    expect(read('?period=year&from=2026-03-01')).toEqual({
      query: { ...WHOLE_LOG, period: 'year' },
      errors: { period: [expect.any(String)] },
    })
  })
})
