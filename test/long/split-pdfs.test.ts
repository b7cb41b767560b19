import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { READING_FAULTS } from '../../src/server/reading/reading-fault.ts'
import { inspectPdf, splitPdf } from '../../src/uploads/split/pdf/run-split.server.ts'
import { HOSTILE_PDFS } from '../files/hostile-pdfs.ts'

it.each(HOSTILE_PDFS)(
  'a PDF with %s is divided, or refused with a reason',
  async (_what, make) => {
    const bytes = make()
    const open = () => Readable.from([bytes])
    const divide = async () => {
      const { pages } = await inspectPdf(open())
      if (pages > 0) await splitPdf(open(), pages, [[1]], async (part) => void (await part.toArray()))
      return null
    }
    const fault = await divide().catch((error: Error) => error.message)
    if (fault !== null) expect(Object.values(READING_FAULTS)).toContain(fault)
  },
  600_000,
)
