import { expect, it } from 'vitest'
import type { ListedFile } from '../file/stored-file.ts'
import { newestOf } from './newest.ts'

const file = (name: string, day: number, is_new = true): ListedFile => ({
  id: day,
  name,
  path: '',
  size: 1,
  created_at: new Date(Date.UTC(2026, 0, day)).toISOString(),
  period: null,
  is_period_given: false,
  mime: '',
  is_new,
  is_version: false,
  from_investor: false,
  held: null,
  waiting: null,
  is_asked: false,
})

it('lists the five newest new files of all folders, newest first', () => {
  const folders = [
    { files: [file('a', 3), file('old', 31, false)], new_files: [file('b', 7)] },
    { files: [file('c', 5), file('d', 1), file('e', 2), file('f', 4)], new_files: [] },
  ]
  const newest = newestOf(folders)
  expect(newest.map((each) => each.file.name)).toEqual(['b', 'c', 'f', 'a', 'e'])
  expect(newest[1]!.folder).toBe(folders[1])
})
