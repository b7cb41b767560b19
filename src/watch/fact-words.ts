import { formatBytes } from '../base/bytes.ts'
import { formatCount } from '../base/danish/counts.ts'
import { spokenTime } from '../base/time/dates.ts'
import { agoText, untilText } from './age.ts'
import { countWaiting, type CopyFacts, type Facts, type JobFacts, type Known } from './facts.ts'
import { isMailJob, jobText } from '../jobs.ts'

type FactLine = { name: string; text: string }
export type FactGroup = { title: string; lines: FactLine[] }

const UNKNOWN = 'Kunne ikke undersøges'

/** Writes a fact, or that it is unknown. */
function known<Value>(value: Known<Value>, write: (value: Value) => string): string {
  return value === 'unknown' ? UNKNOWN : write(value)
}

const counted = (count: number, one: string, many: string) =>
  `${formatCount(count)} ${count === 1 ? one : many}`

const countedOrNone = (count: number, one: string, many: string) =>
  count === 0 ? 'Ingen' : counted(count, one, many)

const filesText = (count: number) => countedOrNone(count, 'fil', 'filer')

/** A time, and how long ago that is. */
type Moment = (time: string) => string

/** Says in Danish how the installation is doing. `mailServer` is its host. */
export function groupFacts(facts: Facts, timeZone: string, mailServer: string | null): FactGroup[] {
  const moment: Moment = (time) => `${spokenTime(time, timeZone)}, ${agoText(time, facts.now)}`
  return [
    { title: 'Ringbind', lines: ownLines(facts, timeZone, moment) },
    { title: 'Sikkerhedskopier', lines: copyLines(facts.copies, moment) },
    { title: 'Plads', lines: spaceLines(facts) },
    { title: 'Database', lines: databaseLines(facts) },
    { title: 'Mails', lines: mailLines(facts, mailServer) },
    { title: 'Arbejde i baggrunden', lines: workLines(facts, moment) },
  ]
}

function ownLines(
  { now, version, startedAt, certificate, throttled }: Facts,
  timeZone: string,
  moment: Moment,
): FactLine[] {
  const endText = ({ endsAt }: { endsAt: string }) =>
    Date.parse(endsAt) > Date.parse(now)
      ? `Udløber ${spokenTime(endsAt, timeZone)}, ${untilText(endsAt, now)}`
      : `Udløb ${moment(endsAt)}`
  return [
    { name: 'Version', text: version },
    ...(startedAt === null ? [] : [{ name: 'Startet', text: moment(startedAt) }]),
    ...(certificate === null ? [] : [{ name: 'Certifikat', text: known(certificate, endText) }]),
    {
      name: 'Bremset ved login',
      text: known(throttled, (count) => countedOrNone(count, 'person', 'personer')),
    },
  ]
}

function spaceLines({ disk, bucket, files }: Facts): FactLine[] {
  return [
    {
      name: 'Disk',
      text: known(disk, ({ free, total }) => `${formatBytes(free)} ledig af ${formatBytes(total)}`),
    },
    ...(bucket === null
      ? []
      : [{ name: 'Lager (S3)', text: `${bucket.name}, ${bucket.answers ? 'svarer' : 'svarer ikke'}` }]),
    {
      name: 'Filer',
      text: known(files, ({ count, bytes }) =>
        count === 0 ? 'Ingen' : `${filesText(count)}, ${formatBytes(bytes)}`,
      ),
    },
  ]
}

function databaseLines({ database, logGaps }: Facts): FactLine[] {
  return [
    { name: 'PostgreSQL', text: known(database, ({ version }) => version) },
    { name: 'Størrelse', text: known(database, ({ bytes }) => formatBytes(bytes)) },
    {
      name: 'Forbindelser',
      text: known(database, ({ connections, mostConnections }) => `${connections} af ${mostConnections}`),
    },
    {
      name: 'Loggen',
      text: known(logGaps, (gaps) =>
        gaps.length === 0 ? 'Beskyttet mod ændringer' : 'Ikke beskyttet mod ændringer',
      ),
    },
  ]
}

function workLines({ jobs, texts, scanner }: Facts, moment: Moment): FactLine[] {
  return [
    { name: 'Venter', text: known(jobs, (all) => waitingText(all, false)) },
    { name: 'Mislykket seneste døgn', text: known(jobs, failedText) },
    { name: 'Dokumenter i kø', text: known(texts, ({ waiting }) => filesText(waiting)) },
    ...scannerLines(scanner, moment),
    { name: 'Scanninger i kø', text: known(texts, ({ scans }) => filesText(scans)) },
  ]
}

function scannerLines(scanner: Facts['scanner'], moment: Moment): FactLine[] {
  if (scanner === null) return [{ name: 'Virusscanner', text: 'Ingen' }]
  return [
    {
      name: 'Virusscanner',
      text: known(
        scanner.found,
        ({ version, signaturesAt }) =>
          `${version}${signaturesAt === null ? '' : `, opdateret ${moment(signaturesAt)}`}`,
      ),
    },
    { name: 'Venter på virusscanning', text: known(scanner.waiting, filesText) },
  ]
}

function copyLines(copies: Known<CopyFacts> | null, moment: Moment): FactLine[] {
  if (copies === null) return [{ name: 'Planlagte kopier', text: 'Laves ikke' }]
  return [
    {
      name: 'Nyeste fejlfri kopi',
      text: known(copies, ({ newest }) => (newest === null ? 'Ingen endnu' : moment(newest))),
    },
    {
      name: 'Seneste forsøg',
      text: known(copies, ({ failed, newest }) =>
        failed ? `Mislykkedes ${moment(failed.at)}` : newest === null ? 'Ingen endnu' : 'Lykkedes',
      ),
    },
    { name: 'Plads til kopier', text: known(copies, ({ free }) => `${formatBytes(free)} ledig`) },
  ]
}

function mailLines({ jobs, mails }: Facts, mailServer: string | null): FactLine[] {
  return [
    { name: 'Mailserver', text: mailServer ?? 'Ingen' },
    { name: 'Venter på at blive sendt', text: known(jobs, (all) => waitingText(all, true)) },
    {
      name: 'Kunne ikke sendes',
      text: known(mails, ({ failed }) => countedOrNone(failed, 'mail', 'mails')),
    },
  ]
}

function waitingText(jobs: JobFacts[], areMails: boolean): string {
  const count = countWaiting(jobs, areMails)
  if (areMails) return countedOrNone(count, 'mail', 'mails')
  return count === 0 ? 'Intet' : counted(count, 'opgave', 'opgaver')
}

function failedText(jobs: JobFacts[]): string {
  const failed = jobs.filter((job) => job.failed > 0 && !isMailJob(job.name))
  return failed.length === 0
    ? 'Intet'
    : failed.map((job) => `${jobText(job.name)} (${formatCount(job.failed)})`).join(', ')
}
