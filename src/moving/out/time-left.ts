type Amount = { files: number; bytes: number }

/** The cost of a file in addition to its bytes, expressed in bytes. */
const FILE = 100_000

/** Says how long the rest takes at the present pace: 'about 3 minutes left', or '' while it is unknown. */
export function timeLeft(done: Amount, total: Amount, elapsedMs: number): string {
  const [work, all] = [weigh(done), weigh(total)]
  if (elapsedMs < 3000 || work === 0 || work > all) return ''
  const minutes = ((elapsedMs / work) * (all - work)) / 60_000
  if (minutes < 1) return 'less than a minute left'
  if (minutes < 90) return count(Math.round(minutes), 'minute')
  return count(Math.round(minutes / 60), 'hour')
}

const weigh = ({ files, bytes }: Amount) => bytes + files * FILE

const count = (number: number, unit: string) => `about ${number} ${unit}${number === 1 ? '' : 's'} left`
