import type { FastifyInstance } from 'fastify'
import type { TestApp } from '../app.ts'
import type { Chance } from '../chance.ts'
import { makeToken } from '../make.ts'
import type { Difference } from './differences.ts'
import type { RandomOffice, RandomPerson } from './random-office.ts'

/** At most this many addresses of a route are compared for each reader. */
const EACH = 8

/**
 * Fetches every address that programs may read, with a reader's API key and with their browser, and compares the answers: the
 * browser's are compared with the model elsewhere.
 */
export async function compareTokens(
  test: TestApp,
  office: RandomOffice,
  readers: RandomPerson[],
  sessions: Map<number, string>,
  chance: Chance,
): Promise<Difference[]> {
  const routes = test.app.routeRights.filter(
    ({ method, program }) => method === 'GET' && program?.scope === 'read',
  )
  for (const reader of readers.filter(({ isActive }) => isActive)) {
    // nobody else has a key
    const ways = {
      session: sessions.get(reader.id)!,
      secret: await makeToken(test, reader.id, { scopes: ['read'] }),
    }
    for (const { url } of routes) {
      const addresses = addressesOf(office, url)
      const some =
        addresses.length <= EACH ? addresses : Array.from({ length: EACH }, () => chance.of(addresses))
      for (const address of some) {
        const difference = await compareAddress(test.app, reader, address, ways)
        if (difference) return [difference]
      }
    }
  }
  return []
}

/** When an answer was made. */
const MOMENT = /"until":"[^"]*"/
/** Reading is logged a little later, also between two answers. */
const OF_LOG = /\/(?:log|history)$/

async function compareAddress(
  app: FastifyInstance,
  { id, role }: RandomPerson,
  url: string,
  { session, secret }: { session: string; secret: string },
): Promise<Difference | null> {
  const program = await app.inject({ url, headers: { authorization: `Bearer ${secret}` } })
  const browser = await app.inject({ url, cookies: { session } })
  const [shown, expected] = [program, browser].map(({ statusCode, body }) =>
    statusCode === 200 && !OF_LOG.test(url) ? body.replace(MOMENT, '') : statusCode,
  )
  return shown === expected ? null : { where: `${url} for a program of ${role} ${id}`, shown, expected }
}

/** Fills the address of a route with everything in the office, whether it belongs together or not. */
function addressesOf(office: RandomOffice, route: string): string[] {
  const ids = (rows: { id: number }[]) => rows.map(({ id }) => String(id))
  const fills: Record<string, string[]> = {
    ':project': ids(office.projects),
    ':user': ids(office.people),
    ':folder': ids(office.folders),
    ':file': ids(office.files),
    ':release': office.submissions.flatMap(({ release }) => (release ? [String(release.id)] : [])),
    ':filter': ['all', 'new', 'mine', 'done'],
    '*': office.files.map(({ path }) => encodeURI(path)),
  }
  const parts = route.match(/:\w+|\*/g) ?? []
  return parts.reduce(
    (addresses, part) =>
      addresses.flatMap((address) => (fills[part] ?? ['1']).map((fill) => address.replace(part, fill))),
    [route],
  )
}
