import { chmodSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openInstallation } from '../../src/copies/open-installation.server.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { freshDirectory } from '../directory.ts'
import { makeProject } from '../make.ts'
import { postgresOf, shareCompiled, startProcess } from './processes.ts'

it('the import command imports, reports the faults of a table by row, and undoes everything', async () => {
  const base = await freshDirectory()
  chmodSync(base, 0o711) // PostgreSQL's user must be able to enter
  const env = { DATA_DIR: join(base, 'data'), READ_DOCUMENTS: 'false', ...shareCompiled() }
  postgresOf(env.DATA_DIR)
  await using office = await openInstallation(readConfig(env), { say: () => undefined, mayBeEmpty: true })
  await migrate(office.db)
  await makeProject(office.db, { number: '1024', name: 'K/S Nordhavn' })
  const drive = join(base, 'drev')
  await mkdir(drive)
  await writeFile(join(drive, 'Budget (1024) 2024.pdf'), '%PDF-1.7 budget')
  await writeFile(join(drive, 'scan0001.pdf'), '%PDF-1.7 noget')
  const run = async (...args: string[]) => {
    const command = startProcess(env, { args: ['scripts/import.ts', ...args] })
    return [await command.ended, command.output()]
  }
  const says = (text: string | RegExp) => expect.stringMatching(text) as string

  expect(await run(drive)).toEqual([2, says(/imported +1\n/)])
  const table = join(base, 'tabel.csv')
  const write = (rows: string) => writeFile(table, `Nr.;Sti;Projekt;Person;Mappe;Navn;Tag med\r\n${rows}`)
  const found = await office.db.selectFrom('import_files').select(['id', 'state']).execute()
  const waiting = found.find(({ state }) => state === 'waiting')!
  await write(`${waiting.id};scan0001.pdf;9999;;Budget;;jo\r\n`)
  expect(await run(drive, '--from', table)).toEqual([
    1,
    says(/Række 2: [^]*The table has .*Nothing was imported/),
  ])
  await write(`${waiting.id};scan0001.pdf;1024;;Budget;;ja\r\n`)
  expect(await run(drive, '--from', table)).toEqual([0, says(/imported +2\n/)])
  const [, list] = await run('--list')
  const id = /^(\d+) /m.exec(String(list))![1]!
  expect(await run('--undo', id)).toEqual([0, says('2 files of import')])
})
