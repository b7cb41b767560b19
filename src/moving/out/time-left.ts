type Amount = { files: number; bytes: number }

/** What a file costs beside its bytes, as bytes. */
const FILE = 100_000

/** Says in words how long the rest takes if it goes on as until now: 'about 3 minutes left', or '' while nobody can tell. */
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
