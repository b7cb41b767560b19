/** `TIMES=5 npm run test:long` tries five times as many random offices and power cuts. */
export const TIMES = Number(process.env.TIMES ?? 1)
