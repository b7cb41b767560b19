import { formatBytes } from '../base/bytes.ts'
import { formatCount } from '../base/counts.ts'
import { spokenTime } from '../base/time/dates.ts'
import { agoText, untilText } from './age.ts'
import type { CopyFacts, Facts, JobFacts, Known } from './facts.ts'
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

const filesText = (count: number) => (count === 0 ? 'Ingen' : counted(count, 'fil', 'filer'))

/** Says in Danish how the installation is doing. `mailServer` is its host. */
export function groupFacts(facts: Facts, timeZone: string, mailServer: string | null): FactGroup[] {
  const { now, database, disk, files, bucket, texts, throttled, certificate } = facts
  const moment = (time: string) => `${spokenTime(time, timeZone)}, ${agoText(time, now)}`
  return [
    {
      title: 'Ringbind',
      lines: [
        { name: 'Version', text: facts.version },
        ...(facts.startedAt === null ? [] : [{ name: 'Startet', text: moment(facts.startedAt) }]),
        ...(certificate === null
          ? []
          : [
              {
                name: 'Certifikat',
                text: known(certificate, ({ endsAt }) =>
                  Date.parse(endsAt) > Date.parse(now)
                    ? `Udløber ${spokenTime(endsAt, timeZone)}, ${untilText(endsAt, now)}`
                    : `Udløb ${moment(endsAt)}`,
                ),
              },
            ]),
        { name: 'Bremset ved login', text: known(throttled, throttledText) },
      ],
    },
    { title: 'Sikkerhedskopier', lines: copyLines(facts.copies, moment) },
    {
      title: 'Plads',
      lines: [
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
            count === 0 ? 'Ingen' : `${counted(count, 'fil', 'filer')}, ${formatBytes(bytes)}`,
          ),
        },
      ],
    },
    {
      title: 'Database',
      lines: [
        { name: 'PostgreSQL', text: known(database, ({ version }) => version) },
        { name: 'Størrelse', text: known(database, ({ bytes }) => formatBytes(bytes)) },
        {
          name: 'Forbindelser',
          text: known(database, ({ connections, mostConnections }) => `${connections} af ${mostConnections}`),
        },
        {
          name: 'Loggen',
          text: known(facts.logGaps, (gaps) =>
            gaps.length === 0 ? 'Beskyttet mod ændringer' : 'Ikke beskyttet mod ændringer',
          ),
        },
      ],
    },
    { title: 'Mails', lines: mailLines(facts, mailServer) },
    {
      title: 'Arbejde i baggrunden',
      lines: [
        { name: 'Venter', text: known(facts.jobs, (jobs) => waitingText(jobs, false)) },
        { name: 'Mislykket seneste døgn', text: known(facts.jobs, failedText) },
        { name: 'Dokumenter i kø', text: known(texts, ({ waiting }) => filesText(waiting)) },
        ...(facts.scanner === null
          ? [{ name: 'Virusscanner', text: 'Ingen' }]
          : [
              {
                name: 'Virusscanner',
                text: known(
                  facts.scanner.found,
                  ({ version, signaturesAt }) =>
                    `${version}${signaturesAt === null ? '' : `, opdateret ${moment(signaturesAt)}`}`,
                ),
              },
              { name: 'Venter på virusscanning', text: known(facts.scanner.waiting, filesText) },
            ]),
        { name: 'Scanninger i kø', text: known(texts, ({ scans }) => filesText(scans)) },
      ],
    },
  ]
}

function copyLines(copies: Known<CopyFacts> | null, moment: (time: string) => string): FactLine[] {
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
      text: known(mails, ({ failed }) => (failed === 0 ? 'Ingen' : counted(failed, 'mail', 'mails'))),
    },
  ]
}

function waitingText(jobs: JobFacts[], areMails: boolean): string {
  const count = jobs
    .filter(({ name }) => isMailJob(name) === areMails)
    .reduce((sum, { waiting }) => sum + waiting, 0)
  if (count === 0) return areMails ? 'Ingen' : 'Intet'
  return areMails ? counted(count, 'mail', 'mails') : counted(count, 'opgave', 'opgaver')
}

function failedText(jobs: JobFacts[]): string {
  const failed = jobs.filter((job) => job.failed > 0 && !isMailJob(job.name))
  return failed.length === 0
    ? 'Intet'
    : failed.map((job) => `${jobText(job.name)} (${formatCount(job.failed)})`).join(', ')
}

const throttledText = (count: number) => (count === 0 ? 'Ingen' : counted(count, 'bruger', 'brugere'))
