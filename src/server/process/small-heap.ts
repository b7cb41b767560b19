import { setFlagsFromString } from 'node:v8'

/**
 * V8 lets the heap grow to a multiple of what is in use before it looks for what is not, up to four times on a computer with much
 * memory. Half as much again is enough: it looks more often, mostly beside the program.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50')
}
