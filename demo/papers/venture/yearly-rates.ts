/** Kroner per MWh. */
export const PRICE = since2012([
  290, 300, 240, 180, 205, 235, 330, 295, 200, 620, 1350, 640, 520, 540, 510, 500,
])
/** The yearly rise of rents, in thousandths. */
export const RISE = since2012([10, 8, 6, 5, 3, 11, 8, 8, 5, 6, 24, 40, 21, 17, 20, 20])
/** The interest rate, in hundredths of a percent. */
export const INTEREST = since2012([
  310, 280, 260, 220, 200, 190, 180, 160, 150, 140, 210, 410, 420, 350, 330, 330,
])

function since2012(values: number[]): Record<number, number> {
  return Object.fromEntries(values.map((value, index) => [2012 + index, value]))
}
