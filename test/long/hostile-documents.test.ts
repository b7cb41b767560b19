import { sql } from 'kysely'
import { expect, inject, it } from 'vitest'
import { memoryOf } from '../../bench/measure/memory.ts'
import { readPageTexts } from '../../src/reading/page-texts.db.ts'
import { READING_FAULTS } from '../../src/server/reading/reading-fault.ts'
import { freshApp } from '../app.ts'
import { HOSTILE_DOCUMENTS } from '../files/hostile-documents.ts'
import { makeFile, makeProject } from '../make.ts'
import { startProcess } from '../start/processes.ts'

const HOUR = 3_600_000
/** Limit for the reading process, including its modules and the largest document. */
const MOST_BYTES = 300e6
const NAMES = { pdf: 'pdf', word: 'docx', excel: 'xlsx', mail: 'eml', text: 'txt' }

it(
  'every hostile document ends in text or a reason, the queue goes on, and whoever reads them stays small',
  async () => {
    const test = await freshApp({ hasJobs: false })
    const { id: project } = await makeProject(test.db)
    const { rows: folders } = await sql<{ id: number }>`
      select id from folders where project_id = ${project} limit 1`.execute(test.db)
    const folder = folders[0]!.id
    // The oldest is read last.
    const good = await makeFile(test, folder, { name: 'Godt brev.txt', bytes: 'Kære alle' })
    const whats = new Map<string, string>()
    for (const { what, kind, make } of HOSTILE_DOCUMENTS) {
      const { id } = await makeFile(test, folder, { name: `${what}.${NAMES[kind]}`, bytes: make() })
      // Also documents that nobody would recognise as such.
      const { rows } = await sql<{ sha256: string }>`
        insert into texts (sha256, kind)
        select sha256, ${kind} from blobs join files on files.blob_id = blobs.id where files.id = ${id}
        on conflict (sha256) do update set kind = ${kind} returning sha256`.execute(test.db)
      whats.set(rows[0]!.sha256, `${kind}: ${what}`)
    }

    const { rows: databases } = await sql<{ name: string }>`select current_database() as name`.execute(
      test.db,
    )
    const { child, ended, output } = startProcess(
      {
        DATA_DIR: test.config.dataDir,
        PGHOST: inject('socket'),
        PGUSER: 'ringbind',
        PGDATABASE: databases[0]!.name,
        SECONDS: '10',
      },
      { args: ['test/formats/text-reader.ts'] },
    )
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, memoryOf([child.pid!], 'RSS'))), 100)
    const status = await ended
    clearInterval(watch)
    expect([status, output()]).toEqual([0, expect.stringMatching(/^\d+ read\n$/)])

    const { rows: texts } = await sql<{ sha256: string; state: string; reason: string | null }>`
      select sha256, state, reason from texts`.execute(test.db)
    const reasons: (string | null)[] = Object.values(READING_FAULTS)
    for (const { sha256, state, reason } of texts)
      expect([whats.get(sha256), state, state === 'read' || reasons.includes(reason)]).toEqual([
        whats.get(sha256),
        expect.stringMatching(/^(read|failed)$/),
        true,
      ])
    const { rows } = await sql<{ id: number; file_id: number | null }>`
      select texts.id, files.id as file_id from texts join blobs using (sha256)
      left join files on files.blob_id = blobs.id`.execute(test.db)
    for (const { id, file_id: file } of rows)
      for await (const pages of readPageTexts(test.db, id)) {
        if (file === good.id) expect(pages).toEqual([{ page: 1, text: 'Kære alle' }])
        expect(pages.filter(({ text }) => text.includes('root:'))).toEqual([])
      }
    console.log(`${texts.length} documents; at most ${Math.round(most / 1e6)} MB`)
    expect(most).toBeLessThan(MOST_BYTES)
  },
  HOUR,
)
