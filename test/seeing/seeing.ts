import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import type { FileOwner } from '../../src/access/reader.ts'
import {
  isDeletedFileSeen,
  isFileSeen,
  isFolderSeen,
  isPersonSeen,
  isProjectSeen,
  isReportSeen,
  isVersionSeen,
} from '../../src/access/seen.db.ts'
import {
  lendersOf,
  lendersOfFolder,
  seesDeletedFile,
  seesFile,
  seesFolder,
  seesPerson,
  seesProject,
  seesReport,
  seesVersions,
} from '../../src/access/seen.ts'
import type { LookFacts } from '../../src/files/look/look.ts'
import { writePaperIds } from '../../src/files/mailed/paper-ids.ts'
import type { PapersPageProps } from '../../src/files/mailed/papers-page.tsx'
import type { StartPageProps } from '../../src/start/start-page.tsx'
import type { LogAnswer } from '../../src/log/words/entry.ts'
import type { ReaderRow, SeenProject } from '../../src/people/readers/readers.ts'
import { listUnmailed } from '../../src/releases/mail/tell-people.db.ts'
import { isLentTo, isOffice, may, type Right } from '../../src/rights.ts'
import type { Database } from '../../src/server/database/database.ts'
import type { UploadMap } from '../../src/uploads/names/placing.ts'
import { fileUrls, urls, zipOf } from '../../src/urls.ts'
import type { TestApp } from '../app.ts'
import { chanceOf } from '../chance.ts'
import { propsIn } from '../page-data.ts'
import {
  makeRandomOffice,
  signEverybodyIn,
  storeBytes,
  viewEverybody,
  type RandomFile,
  type RandomOffice,
  type RandomPerson,
} from './random-office.ts'
import { comparePackages } from './seeing-package.ts'
import { comparisonFor, type Compare, type Difference } from './differences.ts'
import { compareOverview, expectYears } from './seeing-overview.ts'
import { comparePapers } from './seeing-papers.ts'
import { compareSearch, writeTexts } from './seeing-search.ts'
import { compareTokens } from './seeing-token.ts'
import { compareFeed, makeFeeds, type RandomFeeds } from './seeing-feed.ts'
import { readRows, type Rows } from './snapshot.ts'
import { readZip } from '../formats/zip-reader.ts'

const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id).sort((a, b) => a - b)

/** Compares the SQL conditions with the model, for one reader. */
async function compareConditions(
  db: Database,
  office: RandomOffice,
  reader: RandomPerson,
): Promise<Difference[]> {
  const list = (from: RawBuilder<unknown>, table: string, condition: RawBuilder<boolean>) =>
    sql`array(select ${sql.ref(table)}.id from ${from} where ${condition} order by 1)::integer[]`
  const withFolders = sql`files join folders on folders.id = files.folder_id`
  const { rows } = await sql<Record<string, number[]>>`select
    ${list(sql`projects`, 'projects', isProjectSeen(reader))} as projects,
    ${list(sql`(select * from folders where project_id is not null or user_id is not null) as folders`, 'folders', isFolderSeen(reader))} as folders,
    ${list(withFolders, 'files', isFileSeen(reader))} as files,
    ${list(withFolders, 'files', isDeletedFileSeen(reader))} as deleted,
    ${list(withFolders, 'files', sql<boolean>`(${isFileSeen(reader)} and ${isVersionSeen(reader)})`)} as versions,
    ${list(sql`users`, 'users', isPersonSeen(reader))} as people,
    ${list(sql`users`, 'users', isReportSeen(reader))} as reports`.execute(db)
  const seen = (rowsOfTable: { id: number }[], sees: (id: number) => boolean) =>
    idsOf(rowsOfTable.filter(({ id }) => sees(id)))
  const expected: Record<string, number[]> = {
    projects: seen(office.projects, (id) => seesProject(office, reader, id)),
    folders: seen(office.folders, (id) => seesFolder(office, reader, id)),
    files: seen(office.files, (id) => seesFile(office, reader, id)),
    deleted: seen(office.files, (id) => seesDeletedFile(office, reader, id)),
    versions: seen(office.files, (id) => seesVersions(office, reader, id)),
    people: seen(office.people, (id) => seesPerson(office, reader, id)),
    reports: seen(office.people, (id) => seesReport(office, reader, id)),
  }
  return Object.entries(expected).flatMap(([what, ids]) =>
    isDeepStrictEqual(rows[0]![what], ids)
      ? []
      : [{ where: `${what} for ${reader.role} ${reader.id}`, shown: rows[0]![what], expected: ids }],
  )
}

/** Compares one random office, only through the SQL conditions. */
export async function compareSql({ db }: Pick<TestApp, 'db'>, seed: number): Promise<Difference[]> {
  const office = await makeRandomOffice(db, chanceOf(seed))
  return (await Promise.all(office.people.map((reader) => compareConditions(db, office, reader)))).flat()
}

/**
 * The people who look at an office: everybody; or one of each role and one who is deactivated, with views only of
 * people outside the office.
 */
export type Extent = 'everybody' | 'one of each role'

/** Compares one random office through every address. Stops at the first reader with a difference. */
export async function compareAnswers(
  test: TestApp,
  seed: number,
  extent: Extent = 'everybody',
): Promise<Difference[]> {
  const office = await makeRandomOffice(test.db, chanceOf(seed))
  const readers = extent === 'everybody' ? office.people : oneOfEachRole(office.people)
  const inMails = await compareMails(test.db, office)
  if (inMails.length > 0) return inMails
  await storeBytes(test, office)
  await writeTexts(test.db, office)
  await expectYears(test.db, office)
  const sessions = await signEverybodyIn(test.db, office)
  const feeds = await makeFeeds(test.db, office)
  const receipts = await makeReceipts(test.db, office)
  // Before the people themselves look, since a view must not mark anything as read for them.
  const views = seed % VIEWED_EVERY === 1 ? await viewEverybody(test.db, office) : new Map<number, Cookies>()
  const marks = await readMarks(test.db)
  for (const reader of readers.filter(
    ({ id, role }) => views.has(id) && (extent === 'everybody' || !isOffice(role)),
  )) {
    const differences = await compareAddresses(
      test.app,
      office,
      reader,
      views.get(reader.id)!,
      feeds,
      receipts,
    )
    if (differences.length > 0)
      return differences.map((each) => ({ ...each, where: `${each.where}, viewed` }))
  }
  const left = await readMarks(test.db)
  if (!isDeepStrictEqual(left, marks)) return [{ where: 'marks after viewing', shown: left, expected: marks }]
  for (const reader of readers) {
    const session = sessions.get(reader.id)!
    const differences = await compareAddresses(test.app, office, reader, { session }, feeds, receipts)
    if (differences.length > 0) return differences
  }
  return seed % VIEWED_EVERY === 1 ? compareTokens(test, office, readers, sessions, chanceOf(seed)) : []
}

/** Lets every file look like a receipt. Returns their files, by the receipts' ids: files of the same bytes are one. */
async function makeReceipts(db: Database, { files }: RandomOffice): Promise<Map<number, number[]>> {
  await sql`delete from receipts`.execute(db)
  const { rows } = await sql<{ receipt: number; file: number }>`
    with made as (
      insert into receipts (sha256) select distinct blobs.sha256 from files join blobs on blobs.id = files.blob_id
      where files.id = any (${files.map(({ id }) => id)}) returning id, sha256
    )
    select made.id as receipt, files.id as file from made
    join blobs on blobs.sha256 = made.sha256 join files on files.blob_id = blobs.id`.execute(db)
  const byReceipt = Map.groupBy(rows, ({ receipt }) => receipt)
  return new Map([...byReceipt].map(([id, those]) => [id, those.map(({ file }) => file)]))
}

const oneOfEachRole = (people: RandomPerson[]): RandomPerson[] =>
  Array.from(
    Map.groupBy(people, ({ role, isActive }) => (isActive ? role : 'deactivated')).values(),
    ([first]) => first!,
  )

/** An office takes twice as long with it. */
const VIEWED_EVERY = 4

/** Reads every table but the log, in which a view changes nothing. */
async function readMarks(db: Database): Promise<Rows> {
  const { log: _log, ...rows } = await readRows(db)
  return Object.fromEntries(Object.entries(rows).filter(([name]) => !name.startsWith('log')))
}

/** Compares the files that a mail would name with the model, if everything had just been published. Changes nothing. */
async function compareMails(db: Database, office: RandomOffice): Promise<Difference[]> {
  const differences: Difference[] = []
  const trx = await db.startTransaction().execute()
  const { id } = (
    await sql<{ id: number }>`
      with made as (
        insert into submissions (user_id, key, content) select min(id), 'mails', '' from users returning id, user_id
      )
      insert into releases (submission_id, made_by, state, published_at)
      select id, user_id, 'published', now() from made returning id`.execute(trx)
  ).rows[0]!
  await sql`update files set submission_id = (select submission_id from releases where id = ${id})`.execute(
    trx,
  )
  await sql`delete from file_reads`.execute(trx)
  for (const reader of office.people) {
    const mail = randomUUID()
    await sql`
      insert into release_people (release_id, user_id, mail_id) values (${id}, ${reader.id}, ${mail})`.execute(
      trx,
    )
    const { total } = await listUnmailed(trx, { ...reader, mail_rate: 'at-once' }, mail)
    const seen = office.files.filter(
      (file) => seesFile(office, reader, file.id) && getsMailsAbout(office, reader, file.folder),
    ).length
    if (total !== seen)
      differences.push({
        where: `files in a mail to ${reader.role} ${reader.id}`,
        shown: total,
        expected: seen,
      })
  }
  await trx.rollback().execute()
  return differences
}

/** Mails about a folder's files go to everybody who sees it, but to advisers only if a lender of theirs wishes so. */
function getsMailsAbout(office: RandomOffice, reader: RandomPerson, folder: number): boolean {
  return !isLentTo(reader.role) || lendersOfFolder(office, reader, folder).some(({ getsMails }) => getsMails)
}

/** Opens every address that shows something, as one reader, and compares the answers with the model. */
async function compareAddresses(
  app: FastifyInstance,
  office: RandomOffice,
  reader: RandomPerson,
  cookies: Cookies,
  feeds: RandomFeeds,
  receipts: Map<number, number[]>,
): Promise<Difference[]> {
  const comparison = new Comparison(app, office, reader, cookies)
  await comparison.projects()
  await comparison.people()
  await comparison.start()
  await comparison.submissions()
  await comparison.uploadForms()
  await comparison.releases()
  await comparison.readers()
  await comparison.papers()
  await comparison.receipts(receipts)
  comparison.differences.push(
    ...(await compareSearch(app, office, reader, cookies)),
    ...(await compareOverview(app, office, reader, cookies)),
    ...(await comparePapers(app, office, reader, cookies)),
    ...(await compareFeed(app, office, reader, cookies, feeds)),
  )
  await comparison.archives() // last, since downloads mark files as read
  comparison.differences.push(...(await comparePackages(app, office, reader, cookies)))
  await comparison.contents()
  return comparison.differences
}

type ProjectCounts = { id: number; files_count: number; new_count: number }
type ListAnswer = { data: { id: number }[]; meta: { total: number } }
type Section = {
  id: number
  files_count: number
  new_count: number
  files: { id: number; is_new: boolean }[]
}

/** With a view, an administrator looks as the reader. */
type Cookies = { session: string; view?: string }

class Comparison {
  readonly differences: Difference[]
  readonly #expect: Compare
  #app: FastifyInstance
  #office: RandomOffice
  #reader: RandomPerson
  #cookies: Cookies
  /** Sent with each form. It lasts as long as the session. */
  #token: string | null = null

  constructor(app: FastifyInstance, office: RandomOffice, reader: RandomPerson, cookies: Cookies) {
    this.#cookies = cookies
    this.#app = app
    this.#office = office
    this.#reader = reader
    const { differences, compare } = comparisonFor(reader)
    this.differences = differences
    this.#expect = compare
  }

  async projects(): Promise<void> {
    const seen = this.#office.projects.filter(({ id }) => seesProject(this.#office, this.#reader, id))
    await this.#json('seeProjects', urls.listProjects, true, ({ data }: { data: ProjectCounts[] }) =>
      this.#expect(
        'the list of projects, with counts',
        data.map(({ id, files_count: files, new_count: fresh }) => [id, files, fresh]).sort(byFirst),
        seen.map(({ id }) => [
          id,
          this.#filesOf({ project: id }).length,
          this.#newOf({ project: id }).length,
        ]),
      ),
    )
    for (const [index, project] of this.#office.projects.entries()) {
      const { id } = project
      const isSeen = seesProject(this.#office, this.#reader, id)
      const other = this.#office.projects[(index + 1) % this.#office.projects.length]!.id
      await this.#json('seeProjects', `${urls.listProjects}?q=Projekt${index}`, true, ({ data }) =>
        this.#expect('a search for a project', idsOf(data), isSeen ? [id] : []),
      )
      await this.#sections('seeFiles', { project: id }, urls.listFolders(id), isSeen)
      await this.#folders('seeFiles', { project: id }, { project: other })
      await this.#trash({ project: id })
      await this.#members(project, isSeen)
      await this.#json('changeFiles', urls.folderOptions(id), isSeen, ({ data }) =>
        this.#expect('folder options', idsOf(data), this.#foldersOf({ project: id })),
      )
    }
  }

  async people(): Promise<void> {
    const seen = this.#office.people.filter(({ id }) => seesPerson(this.#office, this.#reader, id))
    for (const list of [urls.listUsers, urls.listPeople])
      await this.#json('seeUsers', list, true, ({ data, meta }: ListAnswer) =>
        this.#expect(
          'the list of people, and its count',
          [idsOf(data), meta.total],
          [idsOf(seen), seen.length],
        ),
      )
    for (const [index, { id, role }] of this.#office.people.entries()) {
      const isSeen = seesPerson(this.#office, this.#reader, id)
      const other = this.#office.people[(index + 1) % this.#office.people.length]!.id
      await this.#json('seeUserFiles', urls.listUserFiles(id), isSeen, ({ data }) =>
        this.#expect('a person’s files', idsOf(data), idsOf(this.#filesOf({ user: id }))),
      )
      await this.#sections('seeUserFiles', { user: id }, urls.listUserFolders(id), isSeen)
      await this.#folders('seeUserFiles', { user: id }, { user: other })
      await this.#trash({ user: id })
      await this.#lender(id)
      await this.#json(
        'seeReports',
        urls.readReport(id),
        seesReport(this.#office, this.#reader, id) && role === 'investor',
        () => undefined,
      )
    }
  }

  /** The page about one of those who lend to an adviser. */
  async #lender(id: number): Promise<void> {
    if (!isLentTo(this.#reader.role)) return
    const lender = lendersOf(this.#office, this.#reader).find((each) => each.lender.id === id)
    const { status, body } = await this.#get(urls.user(id))
    const expected = this.#statusOf('seeUserFiles', lender !== undefined, 303)
    if (!this.#expect(`the page of lender ${id}`, status, expected) || status !== 200) return
    const { files } = propsIn<{ files: { page: { folders: { id: number }[] } } | null }>(body)
    const isOwnLent = lender?.lending.scope === 'everything' || lender?.lending.scope.hasOwnFiles
    this.#expect(
      `the own files of lender ${id}`,
      files && idsOf(files.page.folders),
      isOwnLent
        ? this.#foldersOf({ user: id }).filter((folder) => this.#isListed({ user: id }, folder))
        : null,
    )
  }

  async start(): Promise<void> {
    const { status, body } = await this.#get(urls.start)
    if (!this.#expect('the start page', status, this.#reader.isActive ? 200 : 303) || status !== 200) return
    const props = propsIn<StartPageProps>(body)
    const fresh = isOffice(this.#reader.role) ? [] : this.#office.files.filter((file) => this.#isNew(file))
    this.#expect(
      'those on whose behalf an adviser looks',
      props.lenders && idsOf(props.lenders),
      isLentTo(this.#reader.role)
        ? idsOf(lendersOf(this.#office, this.#reader).map(({ lender }) => lender))
        : null,
    )
    this.#expect('news on the start page', props.news?.total ?? 0, fresh.length)
    for (const { id } of props.news?.files ?? [])
      this.#expect(
        'a file among the news',
        fresh.some((file) => file.id === id),
        true,
      )
    for (const { id } of props.received?.files ?? [])
      this.#expect('a file on the start page', seesFile(this.#office, this.#reader, id), true)
    const waiting = this.#office.submissions.filter(
      ({ id, user, release }) =>
        release?.state === 'waiting' &&
        user !== this.#reader.id &&
        this.#office.files.some(
          ({ submission, heldIn, isDeleted }) => (submission === id || heldIn === id) && !isDeleted,
        ),
    )
    this.#expect(
      'releases on the start page that wait for approval',
      props.waiting && idsOf(props.waiting.releases),
      may(this.#reader.role, 'seeReleases')
        ? idsOf(waiting.flatMap(({ release }) => release ?? [])).slice(0, 5)
        : null,
    )
    this.#expect(
      'projects on the start page',
      idsOf(props.projects),
      idsOf(this.#office.projects.filter(({ id }) => seesProject(this.#office, this.#reader, id))),
    )
  }

  async submissions(): Promise<void> {
    for (const { id: submission, user, key } of this.#office.submissions) {
      const url = urls.uploadResult(key)
      const { status, body } = await this.#get(url)
      const isOwn = user === this.#reader.id
      const expected = this.#statusOf('sendFiles', isOwn, 303)
      if (!this.#expect(`${url} of ${user}`, status, expected) || status !== 200) continue
      for (const { id, name, submission: from, heldIn } of this.#office.files)
        this.#expect(
          `${name} on the result of an upload`,
          body.includes(`>${name}<`),
          (from === submission && seesFile(this.#office, this.#reader, id)) ||
            (heldIn === submission && seesVersions(this.#office, this.#reader, id)),
        )
    }
  }

  /** Compares the questions of the upload forms: where names lead, existing files, and whom one can upload to. */
  async uploadForms(): Promise<void> {
    const { projects, people, files } = this.#office
    const asked = {
      folders: ['Mappe1', 'Mappe2', 'Mappe3'],
      keys: [...projects.map((_, index) => String(index)), ...people.map(({ number }) => number)],
    }
    await this.#json('changeFiles', urls.resolveUpload, true, this.#checkResolved, asked)
    const candidates = files.map(({ id, name, folder }) => ({ id: String(id), name, folder_id: folder }))
    await this.#json(
      'sendFiles',
      urls.findDuplicates,
      true,
      ({ data }: { data: Record<string, { same_name: boolean }> }) => {
        for (const { id } of files)
          this.#expect(
            `a duplicate of file ${id}`,
            data[id]!.same_name,
            seesFile(this.#office, this.#reader, id),
          )
      },
      { files: candidates },
    )
    for (const { id, role } of people) {
      const isSeen = role === 'investor' && seesPerson(this.#office, this.#reader, id)
      const { status } = await this.#get(urls.uploadToUser(id))
      this.#expect(`the upload to ${id}`, status, this.#statusOf('changeFiles', isSeen, 303))
    }
  }

  /** Only the office sees the list of releases, their papers, and whom files reach before they are saved. */
  async releases(): Promise<void> {
    await this.#json('seeReleases', urls.listReleases, true, () => undefined)
    for (const { id, release } of this.#office.submissions.filter((each) => each.release).slice(0, 5)) {
      const papers = this.#office.files.filter(
        ({ submission, heldIn, isDeleted }) => (submission === id || heldIn === id) && !isDeleted,
      )
      await this.#json(
        'seeReleases',
        urls.listReleasePapers(release!.id),
        true,
        ({ meta }: { meta: { total: number } }) =>
          this.#expect(`papers of release ${release!.id}`, meta.total, papers.length),
      )
    }
    for (const { id } of this.#office.folders) {
      const reached = this.#office.people.filter(
        (person) => person.isActive && !isOffice(person.role) && seesFolder(this.#office, person, id),
      )
      const asked = { folders: [id], users: [] }
      await this.#json(
        'changeFiles',
        urls.findReach,
        true,
        ({ people }: { people: number }) =>
          this.#expect(`people whom folder ${id} reaches`, people, reached.length),
        asked,
      )
    }
  }

  /** Compares who sees each thing and why, and what each person sees, on the office's pages. */
  /** The office sees a receipt that stands in a file it sees. */
  async receipts(receipts: Map<number, number[]>): Promise<void> {
    for (const [id, files] of receipts) {
      const { status } = await this.#get(urls.receipt(id))
      const isSeen = files.some((file) => seesFile(this.#office, this.#reader, file))
      this.#expect(`receipt ${id}`, status, this.#statusOf('seeObligations', isSeen, 303))
    }
  }

  async readers(): Promise<void> {
    const { projects, folders, files, people } = this.#office
    const things = [
      ...projects.map(({ id }) => ({ kind: 'project' as const, id, sees: seesProject })),
      ...folders.map(({ id }) => ({ kind: 'folder' as const, id, sees: seesFolder })),
      ...files.map(({ id }) => ({ kind: 'file' as const, id, sees: seesFile })),
    ]
    for (const { kind, id, sees } of things) {
      const url = urls.listReaders(kind, id)
      const isSeen = sees(this.#office, this.#reader, id)
      const readers = people.filter((person) => person.isActive && sees(this.#office, person, id))
      await this.#json('seeReaders', url, isSeen, ({ data, meta }: { data: ReaderRow[] } & ListAnswer) => {
        this.#expect(`who sees ${kind} ${id}`, [idsOf(data), meta.total], [idsOf(readers), readers.length])
        for (const row of data)
          this.#expect(`why ${row.id} sees ${kind} ${id}`, row.lent_by.length > 0, isLentTo(row.role))
      })
      if (kind !== 'project') continue
      const { status } = await this.#get(urls.readers(kind, id))
      this.#expect(urls.readers(kind, id), status, this.#statusOf('seeReaders', isSeen, 303))
    }
    for (const person of people)
      await this.#json(
        'seeReaders',
        urls.listSeen(person.id),
        seesPerson(this.#office, this.#reader, person.id),
        ({ data }: { data: SeenProject[] }) =>
          this.#expect(
            `the projects and folders that ${person.id} sees`,
            data.map((project) => [project.id, ...idsOf(project.folders)]).sort(byFirst),
            projects
              .filter(({ id }) => seesProject(this.#office, person, id))
              .map(({ id }) => [
                id,
                ...idsOf(
                  folders.filter(
                    (folder) =>
                      isDeepStrictEqual(folder.owner, { project: id }) &&
                      seesFolder(this.#office, person, folder.id),
                  ),
                ),
              ])
              .sort(byFirst),
          ),
      )
  }

  #checkResolved = ({ projects, users }: UploadMap): void => {
    this.#expect(
      'the projects and folders that names lead to',
      Object.values(projects)
        .map(({ id, folders }) => [id, ...idsOf(Object.values(folders))])
        .sort(byFirst),
      this.#office.projects
        .filter(({ id }) => seesProject(this.#office, this.#reader, id))
        .map(({ id }) => [id, ...this.#foldersOf({ project: id })]),
    )
    const seen = this.#office.people.filter(
      ({ id, role }) => role === 'investor' && seesPerson(this.#office, this.#reader, id),
    )
    this.#expect('the people that names lead to', idsOf(Object.values(users)), idsOf(seen))
  }

  /** The members that a project's page names: to the office alone. */
  async #members(project: { id: number; members: number[] }, isSeen: boolean): Promise<void> {
    const { status, body } = await this.#get(urls.files(project.id))
    const url = urls.files(project.id)
    if (!this.#expect(url, status, this.#statusOf('seeFiles', isSeen, 303)) || status !== 200) return
    const { members } = propsIn<{ members: { id: number }[] | null }>(body)
    const seen = project.members.filter((id) => seesPerson(this.#office, this.#reader, id))
    this.#expect(
      `the members of project ${project.id}`,
      members && idsOf(members),
      isOffice(this.#reader.role) ? seen.sort((a, b) => a - b) : null,
    )
  }

  /** The page that mails lead to: exactly the papers asked for that the reader sees. */
  async papers(): Promise<void> {
    if (!this.#reader.isActive) return
    const asked = this.#office.files.map(({ id }) => id)
    const url = urls.papers(writePaperIds(asked)!)
    const { status, body } = await this.#get(url)
    const seen = this.#office.files.filter(({ id }) => seesFile(this.#office, this.#reader, id))
    if (!this.#expect(url, status, seen.length > 0 ? 200 : 404) || status !== 200) return
    const { groups } = propsIn<PapersPageProps>(body)
    const shown = groups.flatMap(({ files }) => files)
    this.#expect(
      'the papers of a mail',
      idsOf(asked.length === 1 ? [] : shown),
      idsOf(asked.length === 1 ? [] : seen),
    )
  }

  async contents(): Promise<void> {
    for (const file of this.#office.files) {
      const owner = this.#office.folders.find(({ id }) => id === file.folder)!.owner
      const right = 'project' in owner ? 'seeFiles' : 'seeUserFiles'
      const isSeen = seesFile(this.#office, this.#reader, file.id)
      for (const way of ['open', 'download'] as const) {
        const { status } = await this.#get(fileUrls[way](owner, file.path))
        this.#expect(
          `${way} ${file.name} of ${JSON.stringify(owner)}`,
          status,
          this.#statusOf(right, isSeen, 303),
        )
      }
      const byId = await this.#get(urls.fileContent(file.id))
      this.#expect(`the content of file ${file.id}`, byId.status, this.#statusOf('seeFiles', isSeen, 401))
      const areSeen = seesVersions(this.#office, this.#reader, file.id)
      await this.#json('seeFileHistory', urls.listFileHistory(file.id), true, ({ picked }: LogAnswer) =>
        this.#expect(
          `the versions of ${file.name}`,
          picked.versions.flatMap(({ id }) => id ?? []).sort(byNumber),
          areSeen ? file.versions.toSorted(byNumber) : [],
        ),
      )
      const wrong = this.#wrongOwner(owner)
      for (const version of file.versions)
        for (const address of [fileUrls.openVersion, fileUrls.downloadVersion]) {
          const { status } = await this.#get(address(owner, version))
          this.#expect(address(owner, version), status, this.#statusOf('seeFileHistory', areSeen, 303))
          const { status: elsewhere } = await this.#get(address(wrong, version))
          this.#expect(address(wrong, version), elsewhere, this.#statusOf('seeFileHistory', false, 303))
        }
      await this.#json(right, fileUrls.look(owner, file.id), isSeen, (facts: LookFacts) => {
        const readers = this.#office.people.filter(
          (person) => person.isActive && !isOffice(person.role) && seesFile(this.#office, person, file.id),
        )
        const expected = isOffice(this.#reader.role) ? idsOf(readers) : undefined
        this.#expect(
          `who sees ${file.name}`,
          facts.office?.readers && idsOf(facts.office.readers.first),
          expected,
        )
      })
      const small = await this.#get(fileUrls.thumbnail(owner, file.id))
      this.#expect(`thumbnail of ${file.name}`, small.status, this.#statusOf(right, isSeen, 401))
      for (const address of [fileUrls.look(wrong, file.id), fileUrls.thumbnail(wrong, file.id)]) {
        const answer = await this.#get(address)
        const its = 'project' in wrong ? 'seeFiles' : 'seeUserFiles'
        this.#expect(`${address}, another owner’s`, answer.status, this.#statusOf(its, false, 401))
      }
      const { status } = await this.#get(fileUrls.open(wrong, file.path))
      const wrongRight = 'project' in wrong ? 'seeFiles' : 'seeUserFiles'
      this.#expect(`open ${file.name} of another owner`, status, this.#statusOf(wrongRight, false, 303))
    }
  }

  /** The archives of an owner, of a folder and of a selection have what the reader sees, and nothing else. */
  async archives(): Promise<void> {
    const { projects, people, folders, files } = this.#office
    const owners = [
      ...projects.map(({ id }): FileOwner => ({ project: id })),
      ...people.map(({ id }): FileOwner => ({ user: id })),
    ]
    for (const owner of owners) {
      const seen = this.#filesOf(owner)
      await this.#archive(owner, fileUrls.zip(owner), seen)
      const own = folders.filter((folder) => isDeepStrictEqual(folder.owner, owner)).map(({ id }) => id)
      for (const folder of own) {
        await this.#archive(owner, zipOf(owner, { folder }), this.#filesIn(folder))
        const wrong = this.#wrongOwner(owner)
        await this.#archive(wrong, zipOf(wrong, { folder }), [])
      }
      const all = files.filter(({ folder }) => own.includes(folder))
      await this.#selection(owner, all, seen)
      await this.#selection(owner, seen, seen)
      await this.#selection(owner, files.slice(0, 2), seen)
    }
  }

  /** A selection is all or nothing, in an address and kept. */
  async #selection(owner: FileOwner, picked: RandomFile[], seen: RandomFile[]): Promise<void> {
    if (picked.length === 0) return
    const isSeen = picked.every((file) => seen.includes(file))
    const url = zipOf(owner, { files: idsOf(picked) })
    await this.#archive(owner, url, isSeen ? picked : [])
    const { status } = await this.#post(fileUrls.zip(owner), { files: idsOf(picked) })
    this.#expect(`keeping ${url}`, status, this.#sentStatusOf(rightAt(owner), isSeen))
  }

  async #archive(owner: FileOwner, url: string, files: RandomFile[]): Promise<void> {
    const { statusCode, rawPayload } = await this.#app.inject({ url, cookies: this.#cookies })
    const expected = this.#statusOf(rightAt(owner), files.length > 0, 303)
    if (!this.#expect(url, statusCode, expected) || statusCode !== 200) return
    const names = readZip(rawPayload).map(({ name }) => name.replace(/^.*\//, ''))
    this.#expect(`the files in ${url}`, names.sort(), files.map(({ name }) => name).sort())
  }

  async #sections(right: Right, owner: FileOwner, url: string, isSeen: boolean): Promise<void> {
    const expected = this.#foldersOf(owner).filter((id) => this.#isListed(owner, id))
    await this.#json(right, url, isSeen, ({ data }: { data: Section[] }) => {
      this.#expect(`folders at ${url}`, idsOf(data), expected)
      for (const { id, files, files_count: count, new_count: fresh } of data) {
        const seen = this.#filesIn(id)
        this.#expect(`files of folder ${id}`, idsOf(files), idsOf(seen))
        this.#expect(`count of folder ${id}`, count, seen.length)
        this.#expect(
          `new files of folder ${id}`,
          idsOf(files.filter(({ is_new: isNew }) => isNew)),
          idsOf(seen.filter((file) => this.#isNew(file))),
        )
        if ('project' in owner)
          this.#expect(
            `count of new files of folder ${id}`,
            fresh,
            seen.filter((file) => this.#isNew(file)).length,
          )
      }
    })
    for (const file of this.#office.files.slice(0, 3))
      await this.#json(right, `${url}?q=${file.name}`, isSeen, ({ data }: { data: Section[] }) =>
        this.#expect(
          `a search for ${file.name} at ${url}`,
          data.flatMap(({ files }) => idsOf(files)),
          expected.includes(file.folder) && seesFile(this.#office, this.#reader, file.id) ? [file.id] : [],
        ),
      )
  }

  /** Compares each folder at its owner's address and at another owner's address. */
  async #folders(right: Right, owner: FileOwner, other: FileOwner): Promise<void> {
    for (const { id } of this.#office.folders.filter((folder) => isDeepStrictEqual(folder.owner, owner))) {
      const isSeen = seesFolder(this.#office, this.#reader, id) && this.#isListed(owner, id)
      await this.#json(right, fileUrls.list(owner, id), isSeen, ({ data }) =>
        this.#expect(`the files of folder ${id}`, idsOf(data), idsOf(this.#filesIn(id))),
      )
      if (!isDeepStrictEqual(owner, other))
        await this.#json(right, fileUrls.list(other, id), false, () => undefined)
    }
  }

  async #trash(owner: FileOwner): Promise<void> {
    const deleted = this.#office.files.filter(
      ({ id, folder }) =>
        this.#foldersOf(owner).includes(folder) && seesDeletedFile(this.#office, this.#reader, id),
    )
    await this.#json('changeFiles', fileUrls.trash(owner), true, ({ data, meta }: ListAnswer) =>
      this.#expect(
        `the trash of ${JSON.stringify(owner)}, and its count`,
        [idsOf(data), meta.total],
        [idsOf(deleted), deleted.length],
      ),
    )
  }

  #foldersOf(owner: FileOwner): number[] {
    return idsOf(
      this.#office.folders.filter(
        (folder) =>
          isDeepStrictEqual(folder.owner, owner) && seesFolder(this.#office, this.#reader, folder.id),
      ),
    )
  }

  /** A person outside the office has their own folder when they see something in it. */
  #isListed(owner: FileOwner, folder: number): boolean {
    return 'project' in owner || isOffice(this.#reader.role) || this.#filesIn(folder).length > 0
  }

  #filesIn(folder: number): RandomFile[] {
    return this.#office.files.filter(
      (file) => file.folder === folder && seesFile(this.#office, this.#reader, file.id),
    )
  }

  #filesOf(owner: FileOwner): RandomFile[] {
    return this.#foldersOf(owner).flatMap((folder) => this.#filesIn(folder))
  }

  #newOf(owner: FileOwner): RandomFile[] {
    return this.#filesOf(owner).filter((file) => this.#isNew(file))
  }

  /** All files are newer than all people: to a reader outside the office, files are new unless they sent or read them. */
  #isNew(file: RandomFile): boolean {
    return (
      !isOffice(this.#reader.role) &&
      seesFile(this.#office, this.#reader, file.id) &&
      file.uploadedBy !== this.#reader.id &&
      !file.readBy.includes(this.#reader.id)
    )
  }

  #wrongOwner(owner: FileOwner): FileOwner {
    const others = [
      ...this.#office.projects.map(({ id }): FileOwner => ({ project: id })),
      ...this.#office.people.map(({ id }): FileOwner => ({ user: id })),
    ]
    return others.find((other) => !isDeepStrictEqual(other, owner))!
  }

  /** Returns the expected status: signed out, without the right, hidden or seen. */
  #statusOf(right: Right, isSeen: boolean, signedOut: 401 | 303): number {
    if (!this.#reader.isActive) return signedOut
    if (!may(this.#reader.role, right)) return 403
    return isSeen ? 200 : 404
  }

  /** A view refuses every POST, questions too. */
  #sentStatusOf(right: Right, isSeen: boolean): number {
    return this.#cookies.view === undefined ? this.#statusOf(right, isSeen, 401) : 403
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- each answer has another shape
  async #json(right: Right, url: string, isSeen: boolean, check: (answer: any) => unknown, sent?: object) {
    const { status, body } = await (sent ? this.#post(url, sent) : this.#get(url))
    const expected = sent ? this.#sentStatusOf(right, isSeen) : this.#statusOf(right, isSeen, 401)
    if (!this.#expect(url, status, expected) || status !== 200) return
    check(JSON.parse(body))
  }

  async #get(url: string): Promise<{ status: number; body: string }> {
    const { statusCode, body } = await this.#app.inject({ url, cookies: this.#cookies })
    return { status: statusCode, body }
  }

  async #post(url: string, payload: object): Promise<{ status: number; body: string }> {
    const token = (this.#token ??= await this.#fetchToken())
    const { statusCode, body } = await this.#app.inject({
      method: 'POST',
      url,
      payload,
      cookies: { ...this.#cookies, 'XSRF-TOKEN': token },
      headers: { 'x-requested-with': 'XMLHttpRequest', 'x-xsrf-token': token },
    })
    return { status: statusCode, body }
  }

  async #fetchToken(): Promise<string> {
    const { cookies } = await this.#app.inject({ url: '/findes-ikke', cookies: this.#cookies })
    return cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
  }
}

const rightAt = (owner: FileOwner): Right => ('project' in owner ? 'seeFiles' : 'seeUserFiles')

const byNumber = (a: number, b: number) => a - b
const byFirst = ([a]: number[], [b]: number[]) => a! - b!
