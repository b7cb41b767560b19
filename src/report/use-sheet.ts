import { createContext, use, useSyncExternalStore } from 'react'
import type { CompanyColumn } from './company.ts'
import { Sheet } from './sheet.ts'

export type SheetScreen = {
  sheet: Sheet
  /** Whether it can be written in: not before JavaScript is there. */
  isReady: boolean
  mayLock: boolean
  act: RowActs
}

/** What is done with a row, by its id. */
export type RowActs = {
  move: (row: string, by: -1 | 1) => void
  remove: (row: string) => void
  lock: (row: string, locked: boolean) => void
}

const Context = createContext<SheetScreen | null>(null)

export const SheetProvider = Context.Provider

export function useSheet(): SheetScreen {
  const screen = use(Context)
  if (!screen) throw new Error('There is no sheet around this component.')
  return screen
}

/** Something of the sheet, drawn again when its topic is told of. */
export function useOfSheet<Of>(sheet: Sheet, topic: string, of: () => Of): Of {
  return useSyncExternalStore((listener) => sheet.subscribe(topic, listener), of, of)
}

/**
 * So many rows come from the server with fields and buttons; the others as text, until they can be written in. Nobody sees
 * more at first, and a page of a thousand is four times as large with them.
 */
export const FIRST_FIELDS = 40

/** The id of a cell's field. */
export const cellId = (row: string, column: CompanyColumn) => `${row}-${column}`

/** Where the table is found by what walks in it. */
export const SHEET_ID = 'rapport'

/** What follows the table. */
export const ADD_ID = 'tilfoej'
export const SAVE_ID = 'gem'
