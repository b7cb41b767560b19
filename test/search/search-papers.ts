import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import type { Parts } from '../../src/server/parts.ts'

/** A live file of the demo, with its text as the demo wrote it: nothing of ours has read it. */
export type Paper = {
  id: number
  name: string
  folder: string
  /** Its project's number, or null if it is a person's. */
  project: string | null
  /** The name of the person whose file it is. */
  person: string | null
  /** The names and numbers of its owner. */
  owner: string
  isHeldBack: boolean
  /** The text of each page. */
  pages: string[]
}

/** Returns every live file. */
export async function listPapers({ db, storage }: Pick<Parts, 'db' | 'storage'>): Promise<Paper[]> {
  const { rows } = await sql<Omit<Paper, 'pages'> & { key: string; type: string }>`
    select files.id, files.name, folders.name as folder, projects.number as project, users.name as person,
      concat_ws(' ', projects.number, projects.name, users.name,
        (select string_agg(number, ' ') from user_numbers where user_id = users.id)) as owner,
      files.is_held_back as "isHeldBack", blobs.key, blobs.type
    from files join folders on folders.id = files.folder_id join blobs on blobs.id = files.blob_id
    left join projects on projects.id = folders.project_id left join users on users.id = folders.user_id
    where files.deleted_at is null order by files.id`.execute(db)
  return Promise.all(
    rows.map(async ({ key, type, ...paper }) => {
      return { ...paper, pages: pagesOf(await buffer(await storage.open(key)), type, paper.name) }
    }),
  )
}

function pagesOf(bytes: Buffer, type: string, name: string): string[] {
  if (type === 'application/pdf') return pagesOfPdf(bytes)
  return /\.(txt|csv)$/.test(name) ? [bytes.toString('utf8')] : []
}

const DRAWN = /BT \/\S+ \S+ Tf \S+ (?<y>\S+) Td \((?<what>(?:\\.|[^\\)])*)\) Tj ET/g

/** Returns the text of the demo's own PDFs, whose letters are drawn unencoded (`demo/papers/writing/pdf.ts`). */
function pagesOfPdf(bytes: Buffer): string[] {
  const file = bytes.toString('latin1')
  return [...file.matchAll(/\nstream\n(.*?)\nendstream/gs)].map(([, content]) => {
    let [text, last] = ['', '']
    for (const { groups } of content!.matchAll(DRAWN)) {
      const { y, what } = groups as { y: string; what: string }
      text += (text === '' ? '' : y === last ? ' ' : '\n') + decode(what.replaceAll(/\\(.)/g, '$1'))
      last = y
    }
    return text
  })
}

const decode = (text: string) => new TextDecoder('windows-1252').decode(Buffer.from(text, 'latin1'))
