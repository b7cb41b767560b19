import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Parts } from '../../server/parts.ts'
import { EagerReader } from '../../reading/eager-reader.db.ts'
import { userOf } from '../../server/http/permit.ts'
import { id as rowId, validateMany } from '../../server/http/validate.ts'
import { findScanner } from '../../server/reading/read-scan.ts'
import { urls } from '../../urls.ts'
import { cleanFileName, MOST_LETTERS } from '../../files/names/file-name.ts'
import { judgePapers, type AskedPaper } from './judge-temporary.db.ts'
import { findTemporaryTexts } from './temporary-texts.db.ts'

/** How many papers are asked about at once. */
const MOST_PAPERS = 200

/**
 * Answers what the papers of a pile say before they are saved. Never waits: the page asks again for papers that are not
 * read yet.
 */
export function addPapers(app: FastifyInstance, parts: Parts): void {
  const { db, config } = parts
  const reader = new EagerReader(parts, {
    complain: (about, message) => app.log.warn(about, message),
    findScanner: config.readScans ? findScanner : () => Promise.resolve(null),
    // Other processes read as well.
    ...(config.workers > 1 && { atOnce: 1 }),
  })
  app.addHook('onClose', () => reader.stop())

  const Asked = z.object({
    files: z
      .array(z.unknown(), { error: 'Feltet skal være en liste.' })
      .max(MOST_PAPERS, `Der kan højst spørges om ${MOST_PAPERS} filer ad gangen.`),
  })
  const Paper = z.object({
    hash_name: z.string().regex(/^[0-9a-f]{32}$/),
    name: z.string().max(MOST_LETTERS).transform(cleanFileName),
    folder_id: rowId.optional(),
    user_id: rowId.optional(),
  })
  const asking = {
    config: { right: 'changeFiles', mostFields: 4 * MOST_PAPERS + 100, takesAnyText: true },
    bodyLimit: 1500 * MOST_PAPERS,
  } as const

  app.post(urls.readTemporary, asking, async (request, reply) => {
    const user = userOf(request)
    const { files } = await validateMany(Asked, 'files', Paper, request.body)
    const asked: AskedPaper[] = files.map(([, paper]) => paper)
    const reads = config.readDocuments
    const names = [...new Set(asked.map(({ hash_name: name }) => name))]
    const canScan = reads && (await reader.canScan())
    const found = await findTemporaryTexts(db, user.id, names, { reads, canScan })
    const texts = found.map((text) =>
      text.state === 'waiting' && text.text_id !== null && reader.hasGivenUp(text.text_id)
        ? { ...text, state: 'unreadable' as const } // the slower reader continues: it is only held until then
        : text,
    )
    reader.want(texts.flatMap(({ state, text_id: id }) => (state === 'waiting' && id !== null ? [id] : [])))
    const judged = await judgePapers(db, user, asked, texts)
    return reply.send({ judgements: judged.map(({ judgement }) => judgement) })
  })
}
