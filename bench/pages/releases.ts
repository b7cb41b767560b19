import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { urls } from '../../src/urls.ts'
import { openFilesOffice, type FilesOffice } from '../office/files-office.ts'
import { descendants, memoryOf } from '../measure/memory.ts'
import { median, type Result } from '../measure/result.ts'
import { sendInBatches, submit } from '../office/send.ts'

const RECIPIENTS = 5000
const FILES = 2000
const FILE_BYTES = 200
const SAVES = 3
const MOST_SAVE_RATIO = 1.2
const MOST_QUEUE_MS = 5000
const MOST_MB = 64
const MOST_CONNECTIONS = 4
const MOST_PAGE_RATIO = 3
const MOST_START_RATIO = 1.1
const [WARM_UPS, ROUNDS] = [8, 40]
/** Looking at memory takes a while, during which the mail server, which is in the same process, waits. */
const LOOK_MS = 2000
/** Only ends a hang. */
const HANG_MS = 600_000

/** The projects of the office, each with one shared folder, and how many investors see it. */
const PROJECTS = { crowd: RECIPIENTS, nobody: 0, large: 500, small: 10 }
type Project = keyof typeof PROJECTS

/** Compares what releases cost with many people and with few. Mails go to a server that takes them all. */
export async function measure(): Promise<Result[]> {
  await using open = new AsyncDisposableStack()
  const server = await openMailServer(open)
  const office = open.use(await openReleaseOffice(server.url))
  const other = open.use(await openReleaseOffice(server.url))
  return [
    await compareSaves(office),
    ...(await measureMails(office, server)),
    await comparePages(office),
    await compareStart(office, other),
  ]
}

async function openReleaseOffice(smtpUrl: string): Promise<FilesOffice> {
  const office = await openFilesOffice(
    Object.keys(PROJECTS).map(() => [0]),
    { SMTP_URL: smtpUrl, RELEASE_REGRET_MINUTES: '60' },
  )
  await office.sql.query(
    `insert into users (name, email, email_key, role, search)
     select 'Person ' || n, 'person' || n || '@example.dk', 'person' || n || '@example.dk', 'investor', 'person ' || n
     from generate_series(1, $1::integer) as n`,
    [RECIPIENTS],
  )
  for (const [index, members] of Object.values(PROJECTS).entries())
    await office.sql.query(
      `insert into project_members (project_id, user_id, since)
       select $1, id, '-infinity' from users where role = 'investor' order by id limit $2`,
      [office.projectIds[index], members],
    )
  await office.sql.query('vacuum analyze')
  return office
}

/** Saves files to a project. Returns how long the save took, without the sending of the bytes. */
async function save(office: FilesOffice, project: Project, many: number, name: string): Promise<number> {
  const { url, headers } = office
  const index = Object.keys(PROJECTS).indexOf(project)
  const files = Array.from({ length: many }, (_, nth) => ({ name: `${name} ${nth}.pdf`, size: FILE_BYTES }))
  const sent = await sendInBatches(url, headers, files)
  const began = performance.now()
  await submit(url + urls.uploadTo(office.projectIds[index]!, office.folderId(index, 0)), headers, sent)
  return performance.now() - began
}

async function compareSaves(office: FilesOffice): Promise<Result> {
  const [many, none]: [number[], number[]] = [[], []]
  for (let round = 0; round <= SAVES; round++) {
    const both = [
      await save(office, 'crowd', FILES, `Runde ${round}`),
      await save(office, 'nobody', FILES, `Runde ${round}`),
    ] as const
    if (round === 0) continue // warming up
    many.push(both[0])
    none.push(both[1])
  }
  await office.sql.query('update releases set announced_at = now()')
  return {
    what: `saving ${FILES.toLocaleString('en')} files for ${RECIPIENTS.toLocaleString('en')} people`,
    value: median(many),
    unit: 'ms',
    limit: { what: 'for nobody', value: median(none) },
    aim: { times: MOST_SAVE_RATIO },
  }
}

type MailServer = { url: string; received: () => number; mostConnections: () => number }

async function openMailServer(open: AsyncDisposableStack): Promise<MailServer> {
  let [received, connections, most] = [0, 0, 0]
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect(_session, done) {
      most = Math.max(most, ++connections)
      done()
    },
    onClose: () => void connections--,
    onData(stream, _session, done) {
      stream.resume().once('end', () => {
        received++
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.defer(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received: () => received,
    mostConnections: () => most,
  }
}

/** Makes the time come at which people are told of all releases, and waits until a mail to each of them is queued. */
async function announce({ sql }: FilesOffice): Promise<number> {
  const began = performance.now()
  await sql.query(
    `update releases set published_at = published_at - interval '3 hours' where announced_at is null`,
  )
  await until(async () => {
    const { rows } = await sql.query<{ many: string }>(
      `select (select count(*) from releases where announced_at is null)
        + (select count(*) from release_people where outcome is null and mail_id is null) as many`,
    )
    return Number(rows[0]!.many) === 0
  })
  return performance.now() - began
}

async function measureMails(office: FilesOffice, server: MailServer): Promise<Result[]> {
  await save(office, 'crowd', 20, 'Nyt')
  const memory = () => memoryOf([office.pid, ...descendants(office.pid)], 'PSS')
  const before = memory()
  const queued = await announce(office)
  let peak = before
  const began = performance.now()
  await until(async () => {
    peak = Math.max(peak, memory())
    return Promise.resolve(server.received() >= RECIPIENTS)
  }, LOOK_MS)
  const seconds = (performance.now() - began) / 1000
  const more = (peak - before) / 1e6
  return [
    {
      what: `a mail to each of ${RECIPIENTS.toLocaleString('en')} people is queued`,
      value: queued / 1000,
      unit: 's',
      note: 'after its time',
      aim: { value: MOST_QUEUE_MS / 1000 },
    },
    {
      what: 'connections at a time while they are sent',
      value: server.mostConnections(),
      unit: '',
      note: `for ${seconds.toFixed(0)} s`,
      aim: { value: MOST_CONNECTIONS },
    },
    {
      what: 'more memory meanwhile',
      value: more,
      unit: 'MB',
      aim: { value: MOST_MB },
    },
  ]
}

async function comparePages(office: FilesOffice): Promise<Result> {
  await save(office, 'large', 20, 'Stor')
  await save(office, 'small', 2, 'Lille')
  await announce(office)
  await office.sql.query(`
    insert into file_reads (user_id, file_id)
    select project_members.user_id, files.id from files join folders on folders.id = files.folder_id
    join project_members on project_members.project_id = folders.project_id
    where (files.name like 'Stor %' or files.name like 'Lille %') and (project_members.user_id + files.id) % 3 > 0`)
  await office.sql.query('vacuum analyze')
  const { rows } = await office.sql.query<{ id: string }>('select id from releases order by id desc limit 2')
  const [small, large] = rows.map(({ id }) => urls.release(Number(id)))
  const [ofLarge, ofSmall] = await inTurns([() => get(office, large!), () => get(office, small!)])
  return {
    what: 'the page of a release, 500 people × 20 files',
    value: ofLarge,
    unit: 'ms',
    limit: { what: 'of 10 × 2', value: ofSmall },
    aim: { times: MOST_PAGE_RATIO },
  }
}

/** Compares the start page with that of an office which has the same files, and no releases. */
async function compareStart(office: FilesOffice, other: FilesOffice): Promise<Result> {
  for (const each of [office, other]) await save(each, 'nobody', 20, 'Til sidst')
  await other.sql.query('delete from releases')
  for (const each of [office, other]) await each.sql.query('vacuum analyze')
  const [withReleases, without] = await inTurns([() => get(office, urls.start), () => get(other, urls.start)])
  return {
    what: 'the start page of an office with releases',
    value: withReleases,
    unit: 'ms',
    limit: { what: 'without', value: without },
    aim: { times: MOST_START_RATIO },
  }
}

async function get({ url, headers: { cookie } }: FilesOffice, path: string): Promise<void> {
  const answer = await fetch(url + path, { headers: { cookie } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
}

/** Returns the median time of each piece of work, in milliseconds. They take turns. */
async function inTurns(works: [() => Promise<void>, () => Promise<void>]): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < WARM_UPS + ROUNDS; round++)
    for (const [index, work] of works.entries()) {
      const began = performance.now()
      await work()
      if (round >= WARM_UPS) times[index]!.push(performance.now() - began)
    }
  return [median(times[0]), median(times[1])]
}

async function until(isDone: () => Promise<boolean>, everyMs = 50): Promise<void> {
  const end = performance.now() + HANG_MS
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error('It takes too long.')
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
