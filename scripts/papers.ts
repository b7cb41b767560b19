import { figuresTable } from '../test/papers/figures.ts'
import { measure, measureInHalves, trainOn } from '../test/papers/measure.ts'
import { makePapers } from '../test/papers/papers.ts'
import { readPapers } from '../test/papers/read.ts'

// How well the papers of the test set are judged. `npm run papers faults` also lists what went wrong in the part to develop
// with; of the other part single papers are never shown.

const development = await readPapers(makePapers('development'))
const final = await readPapers(makePapers('final'))
const halves = measureInHalves(development)

console.log(
  figuresTable([
    { name: 'to develop with', figures: halves },
    { name: 'looked at only at the end', figures: measure(final, trainOn(development)) },
    { name: 'the same, by an office without papers', figures: measure(final, null) },
  ]),
)
if (process.argv.includes('faults')) console.log(halves.faults.join('\n'))
