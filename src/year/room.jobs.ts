import { dayOf } from '../base/time/dates.ts'
import type { Act, Acts, Purges } from '../jobs.ts'
import { refreshAllCells } from '../projects/expected/cells.db.ts'
import type { Parts, WorkTools } from '../server/parts.ts'
import { untilDone } from '../server/work/loop.ts'
import { fillPeriods } from '../uploads/names/period.db.ts'
import { refreshAllDuties, refreshStaleDuties } from './obligations/refresh-duties.db.ts'
import { purgeDutyMails, remindOfDuties, tellResponsible } from './obligations/tell-responsible.db.ts'

export function yearJobs({ db, jobs, config }: Parts, { mails, log }: WorkTools) {
  const today = () => dayOf(new Date(), config.timeZone)
  /** Gives files of earlier versions their periods, and looks which papers are expected by today. */
  const expectPapers: Act = async (stopping) => {
    const filled = await fillPeriods(db, stopping)
    await refreshAllCells(db, today(), stopping)
    if (filled > 0) log.info({ files: filled }, 'files have got their periods')
  }
  return {
    'tell-responsible': () => tellResponsible(jobs, mails),
    'stale-duties': () => refreshStaleDuties(db, config.timeZone),
    'refresh-duties': () => refreshAllDuties(db, today()),
    'remind-of-duties': () => remindOfDuties(db, jobs, today()),
    'expected-papers': expectPapers,
    'periods-of-files': untilDone(expectPapers),
  } satisfies Acts
}

export const yearPurges = ({ db }: Parts) => ({ 'duty-mails': () => purgeDutyMails(db) }) satisfies Purges
