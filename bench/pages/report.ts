import type { BrowserContext, Page } from '@playwright/test'
import { COLUMNS } from '../../src/report/company/company.ts'
import { urls } from '../../src/urls.ts'
import { makeReport, makeUser } from '../../test/make.ts'
import { plainPage, workOf } from './drop.ts'
import { openOffice } from '../office/office-in-browser.ts'
import { median, type Result } from '../measure/result.ts'

const ROWS = 500
const ROUNDS = 5
const KEYS = '1234567890'
const MOST_RATIO = 3
/** Longer than the delay of the sums, so that each key pays for them. */
const PAUSE_MS = 150

const EMAIL = 'bench@example.dk'

declare const draw: (rows: number, columns: number) => void

/** Compares typing in a report of many companies with as many plain fields by the same React. */
export async function measure(): Promise<Result[]> {
  await using open = new AsyncDisposableStack()
  let investor = 0
  const context = await openOffice(open, EMAIL, async (db) => {
    investor = (await makeUser(db, { role: 'investor', email: EMAIL })).id
    await makeReport(db, investor, companies())
  })
  const plain = await plainPage('bench/bare/plain-inputs.tsx')
  const costs = { ours: [] as number[], plain: [] as number[] }
  for (let round = 0; round <= ROUNDS; round++) {
    const [ours, bare] = [await typeInReport(context, investor), await typePlainly(context, plain)]
    if (round === 0) continue // warming up
    costs.ours.push(ours)
    costs.plain.push(bare)
  }
  const [ours, bare] = [median(costs.ours), median(costs.plain)]
  return [
    {
      what: `a key in a report of ${ROWS} companies, its sums included`,
      value: ours,
      unit: 'ms of work',
      limit: { what: 'as many plain fields by React', value: bare },
      aim: { times: MOST_RATIO },
    },
  ]
}

async function typeInReport(context: BrowserContext, investor: number): Promise<number> {
  const page = await context.newPage()
  try {
    await page.goto(urls.report(investor))
    await page.locator('html[data-hydrated]').waitFor()
    return await costOfKeys(page, `Egenkapital, række ${ROWS / 2}`)
  } finally {
    await page.close({ runBeforeUnload: false })
  }
}

async function typePlainly(context: BrowserContext, html: string): Promise<number> {
  const page = await context.newPage()
  try {
    await page.route('**/plain', (route) => route.fulfill({ contentType: 'text/html', body: html }))
    await page.goto('/plain')
    await page.evaluate(([rows, columns]) => draw(rows!, columns!), [ROWS, COLUMNS.length])
    return await costOfKeys(page, `6, ${ROWS / 2}`)
  } finally {
    await page.close()
  }
}

/** Types the keys one after the other; returns the milliseconds of each. */
async function costOfKeys(page: Page, label: string): Promise<number> {
  await page.getByLabel(label, { exact: true }).focus()
  await page.keyboard.press('Home')
  await page.waitForTimeout(1000)
  const work = await workOf(page, async () => {
    for (const key of KEYS) {
      await page.keyboard.press(key)
      await page.waitForTimeout(PAUSE_MS)
    }
  })
  return work / KEYS.length
}

function companies() {
  return Array.from({ length: ROWS }, (_, index) => ({
    name: `K/S Selskab ${index}`,
    share: (index % 100) + 0.5,
    year: 2025,
    contribution: index * 1000,
    liability: 0,
    equity: index * 12_345,
    debt: index * 6789,
    result: index * 100 - 20_000,
  }))
}
