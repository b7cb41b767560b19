import { formatMoney } from './money.ts'

/** 2000 becomes '2.000': how many there are of something. */
export const formatCount = (count: number) => formatMoney(count)
