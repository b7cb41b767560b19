import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { HOSTILE_DOCUMENTS } from '../files/hostile-documents.ts'
import { findProgram } from '../../src/server/process/find-program.ts'
import { readPages } from '../../src/server/reading/read-pages.ts'
import { READING_FAULTS } from '../../src/server/reading/reading-fault.ts'

// Some that are quick to make and to read. All of them are in test/long.

const HEAVY =
  /\d MB|million|000|thousand|hundred|deep|forty|together|packed|run lengths|follow themselves|cut/
const quick = HOSTILE_DOCUMENTS.filter(({ what }) => !HEAVY.test(what))
const EVERY = 5

const pdfReader = await findProgram('pdftotext')

it('200 documents are hostile', () => {
  expect(HOSTILE_DOCUMENTS.length).toBeGreaterThanOrEqual(200)
})

it.concurrent.each(quick.filter((_, index) => index % EVERY === 0))(
  'a document ($kind) with $what ends in text or a reason',
  async ({ kind, make }) => {
    const read = await readPages(Readable.from([make()]), kind, { pdfReader }).catch(
      (error: Error) => error.message,
    )
    if (typeof read === 'string') expect(Object.values(READING_FAULTS)).toContain(read)
    else expect(read.pages.join('')).not.toContain('root:')
  },
)
