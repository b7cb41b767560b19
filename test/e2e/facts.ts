import { readFileSync } from 'node:fs'

export const PORTS = {
  office: 3180,
  development: 3181,
  emptyWithScript: 3182,
  emptyWithoutScript: 3183,
  empty: 3184,
  /** Empty too, for the one test that fills it. */
  fresh: 3185,
}

export const address = (port: number) => `http://127.0.0.1:${port}`

/** What a browser test must know of the server that it talks to. */
export type Facts = {
  dataDir: string
  setupLink: string | null
  resetToken: string
  /** The demo's projects: their ids by their numbers. */
  projects: Record<string, number>
  /** Its people, by what comes before the @ of their e-mail. */
  people: Record<string, number>
  /** The first folder of project 1134. */
  folderOf1134: number
  /** Where each file of test/files/hostile.ts is opened. */
  testFiles: Record<string, string>
  /** What an employee has uploaded. */
  submission: string
}

export const factsFile = (port: number) => `test-results/server-${port}.json`

/** What the server has logged. */
export const serverLog = (port: number) => `test-results/server-${port}.log`

export function readFacts(port: number): Facts {
  return JSON.parse(readFileSync(factsFile(port), 'utf8')) as Facts
}
