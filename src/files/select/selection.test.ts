import { describe, expect, it } from 'vitest'
import { MOST_AT_ONCE } from '../file/stored-file.ts'
import { NOTHING, type FileSelection } from './selected.ts'
import { keepOnly, selectAll, selectTo, startAt, toggle } from './selection.ts'

/** Two folders as they are shown, one after the other. */
const SHOWN = [11, 12, 13, 14, 15, 21, 22, 23]
const same = (id: number) => id

type Act = (now: FileSelection<number>) => FileSelection<number>

const press =
  (id: number): Act =>
  (now) =>
    toggle(now, id, id)
const shift =
  (to: number): Act =>
  (now) =>
    selectTo(now, SHOWN, to, same)
/** Shift and an arrow key, with the focus on a row. */
const walk =
  (from: number, to: number): Act =>
  (now) =>
    selectTo(startAt(now, from), SHOWN, to, same)
const all =
  (...ids: number[]): Act =>
  (now) =>
    selectAll(now, ids, same)
const gone =
  (...ids: number[]): Act =>
  (now) =>
    keepOnly(now, (id) => !ids.includes(id))

describe('the selection', () => {
  it.each<[string, Act[], number[]]>([
    ['a press selects', [press(12)], [12]],
    ['another press leaves out', [press(12), press(14), press(12)], [14]],
    ['Shift selects from the last press', [press(12), shift(14)], [12, 13, 14]],
    ['Shift selects upwards', [press(14), shift(12)], [12, 13, 14]],
    ['Shift selects across folders', [press(14), shift(22)], [14, 15, 21, 22]],
    ['a second Shift replaces the range', [press(12), shift(15), shift(13)], [12, 13]],
    ['a range keeps what was selected before', [press(11), press(14), shift(21)], [11, 14, 15, 21]],
    ['Shift without a press selects one', [shift(13)], [13]],
    ['Shift to something that is not shown does nothing', [press(12), shift(99)], [12]],
    ['Shift from something that is not shown selects one', [press(99), shift(13)], [13, 99]],
    ['Shift after a press that left out selects again', [press(12), press(12), shift(13)], [12, 13]],
    ['Shift+Down selects both rows', [walk(11, 12)], [11, 12]],
    ['Shift+Down goes on', [walk(11, 12), walk(12, 13)], [11, 12, 13]],
    ['Shift+Up gives back', [walk(11, 12), walk(12, 13), walk(13, 12)], [11, 12]],
    ['Shift+Up goes past the start', [walk(13, 14), walk(14, 13), walk(13, 12)], [12, 13]],
    ['Shift+Down elsewhere adds', [walk(11, 12), walk(21, 22)], [11, 12, 21, 22]],
    ['Shift+Down into the next folder', [walk(15, 21)], [15, 21]],
    ['all of a folder is added', [press(21), all(11, 12, 13, 14, 15)], [11, 12, 13, 14, 15, 21]],
    ['all of a folder twice is the same', [all(11, 12), all(11, 12)], [11, 12]],
    ['what is gone leaves', [all(11, 12, 13), gone(12)], [11, 13]],
    ['what was not selected may go', [all(11, 12), gone(15)], [11, 12]],
    ['when all is gone, nothing is left', [all(11, 12), gone(11, 12)], []],
    ['a range does not begin at what is gone', [press(12), press(14), gone(14), shift(21)], [12, 21]],
    ['what is gone does not come back with a range', [press(11), press(14), gone(11), shift(15)], [14, 15]],
  ])('selecting: %s', (_, acts, wanted) => {
    const { items } = acts.reduce((now, act) => act(now), NOTHING as FileSelection<number>)
    expect([...items.keys()].toSorted((a, b) => a - b)).toEqual(wanted)
  })

  it('limits the selection to what one act accepts', () => {
    const many = Array.from({ length: MOST_AT_ONCE + 10 }, (_, id) => id + 1)
    const full = selectAll<number>(NOTHING, many, same)
    expect(full.items.size).toBe(MOST_AT_ONCE)
    expect(toggle(full, 9999, 9999).items.size).toBe(MOST_AT_ONCE)
    expect(toggle(full, 1, 1).items.size).toBe(MOST_AT_ONCE - 1)
    expect(selectTo(toggle<number>(NOTHING, 1, 1), many, MOST_AT_ONCE + 10, same).items.size).toBe(
      MOST_AT_ONCE,
    )
  })
})
