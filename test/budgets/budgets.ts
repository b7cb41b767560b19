/** What a daily act may cost, in counts: they are the same on every machine. */
export type Budget = {
  /** Statements that are sent to PostgreSQL, the one for the session included. */
  statements: number
  /** Triggers that run in PostgreSQL: exact, as the statements are. */
  triggers: number
  /** Buffers that PostgreSQL touches, and rows that it reads and writes: about so many, as they hang on its plans. */
  buffers: number
  rows: number
  /** Of a page: its own bytes, and how many scripts, styles and fonts it names, and the bytes of its scripts; not compressed. */
  page?: { bytes: number; requests: number; scripts: number }
}

/**
 * The budgets. An act that costs more fails `budgets.test.ts`, and so does a page that is a fifth smaller: change the number in
 * the commit that changes the cost. Statements and triggers are exact; buffers and rows may be 30 % more, as plans differ.
 */
export const BUDGETS = {
  'the file list': {
    statements: 7,
    triggers: 0,
    buffers: 108,
    rows: 2633,
    page: { bytes: 162_000, requests: 8, scripts: 324_000 },
  },
  'the file list as JSON': { statements: 2, triggers: 0, buffers: 58, rows: 1337 },
  'the projects’ page': {
    statements: 5,
    triggers: 0,
    buffers: 7,
    rows: 41,
    page: { bytes: 41_000, requests: 16, scripts: 360_000 },
  },
  'a download': { statements: 1, triggers: 0, buffers: 11, rows: 184 },
  'a download, not changed (304)': { statements: 1, triggers: 0, buffers: 11, rows: 184 },
  'moving a file': { statements: 3, triggers: 6, buffers: 107, rows: 846 },
  'one place up': { statements: 2, triggers: 4, buffers: 91, rows: 796 },
  'deleting a file': { statements: 2, triggers: 4, buffers: 95, rows: 807 },
  'restoring a file': { statements: 3, triggers: 5, buffers: 95, rows: 806 },
  'signing in': { statements: 18, triggers: 3, buffers: 95, rows: 205 },
  'what a search suggests': { statements: 14, triggers: 0, buffers: 164, rows: 822 },
  'a search': {
    statements: 17,
    triggers: 0,
    buffers: 192,
    rows: 1014,
    page: { bytes: 50_000, requests: 17, scripts: 361_000 },
  },
  'the start page of the office': {
    statements: 20,
    triggers: 0,
    buffers: 300,
    rows: 241,
    page: { bytes: 30_000, requests: 23, scripts: 366_000 },
  },
  'the start page of an administrator': {
    statements: 21,
    triggers: 0,
    buffers: 278,
    rows: 584,
    page: { bytes: 38_000, requests: 23, scripts: 366_000 },
  },
  'the start page of an auditor': {
    statements: 9,
    triggers: 0,
    buffers: 370,
    rows: 2309,
    page: { bytes: 32_000, requests: 23, scripts: 366_000 },
  },
  'the start page of an adviser': {
    statements: 7,
    triggers: 0,
    buffers: 147,
    rows: 34,
    page: { bytes: 19_000, requests: 23, scripts: 366_000 },
  },
  'the start page of an investor': {
    statements: 9,
    triggers: 0,
    buffers: 183,
    rows: 871,
    page: { bytes: 34_000, requests: 23, scripts: 366_000 },
  },
  'one file and its form': { statements: 23, triggers: 10, buffers: 237, rows: 1544 },
  'the form of twenty files': { statements: 14, triggers: 67, buffers: 1994, rows: 12_475 },
} as const satisfies Record<string, Budget>

export type DailyAct = keyof typeof BUDGETS
