import type { Acts, Purges } from '../jobs.ts'
import type { Parts } from '../server/parts.ts'
import { forgetAddresses, forgetNames } from './chain/forget.db.ts'
import { sealEntries } from './chain/seal.db.ts'
import { sendLog } from './chain/send-log.db.ts'
import { purgeGuessedAccounts } from './guessed-accounts.db.ts'
import { lookAtDisk } from './machine/disk-notice.db.ts'
import { endOldNotice } from './notices/notices.db.ts'

export const logJobs = (parts: Parts) =>
  ({
    'chain-of-log': (stopping) => sealEntries(parts.db, stopping),
    'send-log': async (stopping) => {
      const { syslogUrl } = parts.config
      if (syslogUrl !== null) await sendLog(parts.db, syslogUrl, stopping)
    },
    'room-on-disk': () => lookAtDisk(parts),
  }) satisfies Acts

export const logPurges = ({ db, config }: Parts) =>
  ({
    'guessed-accounts': () => purgeGuessedAccounts(db),
    'proxy-notice': () => endOldNotice(db, 'untrusted-proxy', 7),
    'log-names': () => forgetNames(db, config.logAddressMonths),
    'log-addresses': () => forgetAddresses(db, config.logAddressMonths),
  }) satisfies Purges
