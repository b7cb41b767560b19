import { PARTS } from './parts.ts'
import type { Result } from './measure/result.ts'

// Measures one part in a process of its own, for `bench.ts`: its memory is its own, and it can be ended.

/** The answer of the process: the results, or why there are none. */
export type PartAnswer = { results: Result[] } | { why: string }

const [name, ...words] = process.argv.slice(2)
const part = PARTS.find((each) => each.name === name)
if (!part || !process.send) throw new Error('This is run by `npm run bench`.')

// Calls exit, whose handlers end every process that still runs.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const)
  process.once(signal, () => process.exit(1))

let told: PartAnswer
try {
  const { measure } = await part.load()
  told = {
    results: await measure({
      words: words.filter((word) => word !== '--large'),
      isLarge: words.includes('--large'),
    }),
  }
} catch (error) {
  console.error(error)
  told = { why: error instanceof Error ? error.message : String(error) }
}
process.send(told, () => process.exit(0))
