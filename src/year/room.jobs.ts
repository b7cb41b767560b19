import { dayOf } from '../base/time/dates.ts'
import type { Act, Acts, Purges } from '../jobs.ts'
import type { Parts, WorkTools } from '../server/parts.ts'
import { untilDone } from '../server/work/loop.ts'
import { fillPeriods } from '../uploads/names/period.db.ts'
import { refreshAllDuties, refreshStaleDuties } from './obligations/refresh-duties.db.ts'
import { findReceipts } from './receipts/find-receipts.db.ts'
import { purgeDutyMails, remindOfDuties, tellResponsible } from './obligations/tell-responsible.db.ts'

export function yearJobs({ db, jobs, config }: Parts, { mails, log }: WorkTools) {
  const today = () => dayOf(new Date(), config.timeZone)
  const refresh: Act = (stopping) => refreshAllDuties(db, today(), stopping)
  /** Gives files of earlier versions their periods, before which nothing was expected. */
  const findPeriods: Act = async (stopping) => {
    const filled = await fillPeriods(db, stopping)
    if (filled === 0) return
    await refresh(stopping)
    log.info({ files: filled }, 'files have got their periods')
  }
  return {
    'tell-responsible': () => tellResponsible(jobs, mails),
    'stale-duties': () => refreshStaleDuties(db, config.timeZone),
    receipts: (stopping) => findReceipts(db, stopping),
    'refresh-duties': refresh,
    'remind-of-duties': () => remindOfDuties(db, jobs, today()),
    'periods-of-files': untilDone(findPeriods),
  } satisfies Acts
}

export const yearPurges = ({ db }: Parts) => ({ 'duty-mails': () => purgeDutyMails(db) }) satisfies Purges
