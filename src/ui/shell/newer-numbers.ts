import { useEffect } from 'react'
import type { WaitingNumbers } from '../../navigation.ts'
import { makeStore } from '../basic/store.ts'

/** Newer counts than the server sent with the page. */
export const newerNumbers = makeStore<Partial<WaitingNumbers> | null>(null)

/** Shows a newer number in the menu: the page that lists what waits knows it first. */
export function useNewerNumber(name: keyof WaitingNumbers, number: number): void {
  useEffect(() => newerNumbers.set({ ...newerNumbers.now(), [name]: number }), [name, number])
}
