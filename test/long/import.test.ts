import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openInstallation } from '../../src/copies/open-installation.server.ts'
import { shownPath } from '../../src/moving/tree/decode-path.ts'
import { readSheet } from '../../src/moving/tree/read-sheet.server.ts'
import { TABLE_COLUMNS } from '../../src/moving/tree/table.ts'
import { writeSheet } from '../../src/moving/tree/write-sheet.server.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { chanceOf } from '../chance.ts'
import { freshDirectory } from '../directory.ts'
import { makeProject, makeUser } from '../make.ts'
import { makeDrive, type Truth } from '../neighbours/network-drive.ts'
import { postgresOf, ROOT, startProcess } from '../start/processes.ts'

const FILES = 20_000
const KILLS = 8

type Ended = { status: number | null; said: string }

/** Runs a command as a person does, and kills it after a while if asked to. */
async function runScript(
  script: string,
  env: Record<string, string>,
  args: string[],
  killAfter = Infinity,
): Promise<Ended> {
  const child = spawn(process.execPath, [`scripts/${script}.ts`, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (said += text.toString()))
  const ended = once(child, 'exit') as Promise<[number | null]>
  if (killAfter !== Infinity) {
    await Promise.race([sleep(killAfter), ended])
    child.kill('SIGKILL')
  }
  const [status] = await ended
  return { status, said }
}

const PROJECTS = [
  'Nordhavn Kontorhus',
  'Ørsted Møllepark',
  'Aarhus Bugt Lager',
  'Sydhavn Boliger',
  'Kolding Storcenter',
  'Hirtshals Færge',
  'Viborg Rådhusplads',
  'Esbjerg Havnekaj',
].map((name, index) => ({ number: index === 2 ? '0502' : String(5020 + index * 7), name: `K/S ${name}` }))
const PEOPLE = [
  { number: '77001', name: 'Jens Åge Hansen' },
  { number: '77002', name: 'Mette Kjær' },
]
const FOLDERS = [
  'Årsrapport',
  'Budget',
  'Lejekontrakter',
  'Forsikring',
  'Skatteoplysninger',
  'Generalforsamling',
]

it(
  'imports a drive of 20,000 files, although it is killed again and again, and accounts for each of them',
  { timeout: 3_600_000 },
  async () => {
    const base = await freshDirectory()
    chmodSync(base, 0o711)
    const DATA_DIR = join(base, 'data')
    const root = await freshDirectory()
    const tables = await freshDirectory()
    postgresOf(DATA_DIR)
    // Reading is tested elsewhere: here it would only be thousands of processes.
    const env = { DATA_DIR, READ_DOCUMENTS: 'false' }
    const config = readConfig(env)
    {
      await using made = await openInstallation(config, { say: () => undefined, mayBeEmpty: true })
      await migrate(made.db)
      for (const project of PROJECTS) await makeProject(made.db, project)
      for (const { number, name } of PEOPLE) await makeUser(made.db, { name, numbers: [number] })
    }
    const office = { projects: PROJECTS, people: PEOPLE, folders: FOLDERS }
    const drive = await makeDrive(root, { seed: 2026, files: FILES, office })
    const truths = new Map<string, Truth>(drive.files.map(({ path, truth }) => [shownPath(path), truth]))

    // Killed at different moments, while Ringbind runs and while it does not.
    const running = startProcess(env)
    await running.url
    const chance = chanceOf(7)
    for (let kill = 0; kill < KILLS; kill++) {
      if (kill === KILLS / 2) {
        running.child.kill('SIGTERM')
        await running.ended
      }
      await runScript('import', env, [root], 2000 + chance.number(6000 + 3000 * kill))
    }
    const first = await runScript('import', env, [root, '--dry-run', join(tables, 'a.xlsx')])
    expect(first.said).toContain(`${FILES + drive.others} files`)
    const sure = await runScript('import', env, [root])
    expect(sure).toMatchObject({ status: 2, said: expect.stringContaining('imported') as string })

    const [head, ...rows] = await readSheet(join(tables, 'a.xlsx'))
    const at = (name: string) => head!.indexOf(name)
    for (const row of rows) {
      if (row[at('Tag med')] === 'nej') continue
      const truth = truths.get(row[at('Sti')]!)
      while (row.length < head!.length) row.push('')
      row[at('Tag med')] = truth ? 'ja' : 'nej'
      row[at('Person')] = truth && 'person' in truth ? truth.person : ''
      row[at('Projekt')] = truth && 'project' in truth ? truth.project : ''
      row[at('Mappe')] = truth && 'folder' in truth ? truth.folder : ''
      row[at('Navn')] = ''
    }
    const corrected = join(tables, 'b.xlsx')
    await writeSheet(corrected, {
      title: 'Rettet',
      office: '',
      columns: TABLE_COLUMNS,
      count: rows.length,
      rows: (async function* () {
        yield rows
      })(),
    })
    await runScript('import', env, [root, '--from', corrected], 9000)
    const report = join(tables, 'r.xlsx')
    const last = await runScript('import', env, [root, '--from', corrected, '--report', report])
    expect(last).toMatchObject({
      status: 0,
      said: expect.stringContaining('wait in the table     0') as string,
    })

    const sheet = await readSheet(report)
    const paths = sheet.slice(1).map((row) => row[sheet[0]!.indexOf('Sti')])
    expect(paths).toHaveLength(FILES + drive.others)
    {
      await using opened = await openInstallation(config, { say: () => undefined })
      const { rows: files } = await sql<{
        shown: string
        state: string
        folder: string | null
        project: string | null
        person: string | null
        sha256: string | null
      }>`
        select shown, import_files.state, folders.name as folder, projects.number as project,
          (select min(number) from user_numbers where user_id = folders.user_id) as person, blobs.sha256
        from import_files left join files on files.id = file_id left join folders on folders.id = files.folder_id
        left join projects on projects.id = folders.project_id left join blobs on blobs.id = files.blob_id`.execute(
        opened.db,
      )
      const found = Map.groupBy(files, ({ shown }) => shown)
      const faults = drive.files.flatMap(({ path, truth, bytes }) => {
        const shown = shownPath(path)
        const sum = createHash('sha256').update(bytes).digest('hex')
        const isRight = found
          .get(shown)!
          .some(({ state, folder, project, person, sha256 }) =>
            !truth
              ? state === 'left'
              : sha256 === sum &&
                ('person' in truth
                  ? truth.person === person
                  : truth.project === project && truth.folder === folder),
          )
        return isRight ? [] : [shown]
      })
      expect(faults).toEqual([])
      const { rows: doubled } = await sql`
        select from files join blobs on blobs.id = blob_id group by folder_id, sha256 having count(*) > 1`.execute(
        opened.db,
      )
      expect(doubled).toEqual([])
      const { rows: logged } = await sql<{ entries: number; files: number }>`
        select (select count(*) from log where act = 'file-imported') as entries, (select count(*) from files) as files`.execute(
        opened.db,
      )
      expect(logged[0]!.entries).toBe(logged[0]!.files)
    }
    const verified = await runScript('verify', env, [])
    expect(verified.said).toContain('all is well')
    const undone = await runScript('import', env, ['--undo', '1'])
    expect(undone.said).toContain('files of import 1 are in the trash')
  },
)
