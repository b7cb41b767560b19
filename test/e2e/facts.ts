import { readFileSync } from 'node:fs'

/** The first of eleven ports, and of some of the twenty after them. Two runs on one machine need two. */
const FIRST = Number(process.env.E2E_PORT ?? 3180)

export const PORTS = {
  office: FIRST,
  /** The office's pages from source. */
  development: FIRST + 1,
  emptyWithScript: FIRST + 2,
  emptyWithoutScript: FIRST + 3,
  empty: FIRST + 4,
  /** Also empty, for the one test that fills it. */
  fresh: FIRST + 5,
  /** An office where a colleague approves what is published, and sure papers are put in their places at once. */
  fourEyes: FIRST + 6,
  /** An office at `localhost`, where browsers give passkeys. */
  passkeys: FIRST + 8,
  /** The provider with which people of the office may sign in too. It is no Ringbind. */
  provider: FIRST + 7,
  /** An office with a mail server, which never answers. */
  mailing: FIRST + 10,
}

/** The port beside an office at which tests ask for data: see `maker-server.ts`. */
export const makerOf = (port: number) => port + 20

export const address = (port: number) => `http://127.0.0.1:${port}`

/** Facts about a server that browser tests need. */
export type Facts = {
  dataDir: string
  setupLink: string | null
  resetToken: string
  /** Ids of the demo's projects by number. */
  projects: Record<string, number>
  /** Ids of the demo's people by the part of their e-mail before the @. */
  people: Record<string, number>
  /** The first folder of project 1134. */
  folderOf1134: number
  /** The address of each file in test/files/hostile.ts. */
  testFiles: Record<string, string>
  /** The id of a release of the demo in each state that it has. */
  releases: Record<string, number>
  /** The address of a paper of 2025 that is there, and of one that is missing. */
  papers: Record<string, string>
  /** A sheet of the administrator that waits to be moved in. */
  sheet: number
  /** A receipt whose layout nobody has taught. */
  receipt: number
  /** The key of an employee's upload. */
  submission: string
}

export const factsFile = (port: number) => `test-results/server-${port}.json`

/** The file with the lines that the servers have logged. */
export const SERVER_LOG = 'test-results/server.log'

export function readFacts(port: number): Facts {
  return JSON.parse(readFileSync(factsFile(port), 'utf8')) as Facts
}
