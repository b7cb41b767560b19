import type { Acts, Purges } from '../jobs.ts'
import type { Parts, WorkTools } from '../server/parts.ts'
import { Deliverer } from './hooks/deliver.db.ts'
import { purgeDeliveries } from './hooks/deliveries.db.ts'

export function programsJobs({ db, jobs, config }: Parts, { log }: WorkTools) {
  const sending = { networks: config.hookNetworks ?? [] }
  const deliverer = new Deliverer({ db, jobs, appUrl: config.appUrl, sending })
  return {
    webhooks: (stopping) =>
      deliverer.look(stopping, (err) => stopping.aborted || log.warn({ err }, 'webhooks were not sent')),
  } satisfies Acts
}

export const programsPurges = ({ db }: Parts) =>
  ({ 'hook-deliveries': () => purgeDeliveries(db) }) satisfies Purges
