/** From when the office can begin to follow: now, the first day of one of these years, or always (''). */
const YEARS_OFFERED = 10

/** Lists from which years an office can begin to follow, each by its first day. The calmest comes first: from today. */
export function followChoices(today: string): { value: string; text: string }[] {
  const year = Number(today.slice(0, 4))
  const first = (each: number) => `${each}-01-01`
  const years = Array.from({ length: YEARS_OFFERED }, (_, index) => year - 1 - index)
  return [
    { value: today, text: `${year}, fra i dag` },
    ...(today === first(year) ? [] : [{ value: first(year), text: `${year}, fra årets begyndelse` }]),
    ...years.map((each) => ({ value: first(each), text: String(each) })),
    { value: '', text: 'Alle år' },
  ]
}
