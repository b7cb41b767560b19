import { formatMoney } from './money.ts'

/** 2000 becomes '2.000'. */
export const formatCount = (count: number) => formatMoney(count)
