import { createContext, use, useSyncExternalStore } from 'react'
import type { CompanyColumn } from '../company/company.ts'
import { Sheet } from './sheet.ts'

export type SheetScreen = {
  sheet: Sheet
  /** Whether the table can be edited; false until JavaScript has started. */
  isReady: boolean
  /** Whether the reader may change anything. */
  mayEdit: boolean
  mayLock: boolean
  act: RowActs
}

/** Actions on a row, by its id. */
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

/** Reads a value from the sheet, and renders again when its topic changes. */
export function useOfSheet<Of>(sheet: Sheet, topic: string, of: () => Of): Of {
  return useSyncExternalStore((listener) => sheet.subscribe(topic, listener), of, of)
}

/**
 * How many rows the server renders with fields and buttons; the others are text until they can be edited. A user
 * sees no more at first, and with all fields a page of a thousand rows is four times as large.
 */
export const FIRST_FIELDS = 40

export const cellId = (row: string, column: CompanyColumn) => `${row}-${column}`

/** The table's id, for the code that moves the focus. */
export const SHEET_ID = 'rapport'

/** The buttons after the table. */
export const ADD_ID = 'tilfoej'
export const SAVE_ID = 'gem'
