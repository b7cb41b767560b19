import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'

/** Half as long as `axe.source`, and each page reads it anew. */
export const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Asks axe about the page as it stands now, with what a test has opened or selected in it. */
export async function checkAxe(page: Page): Promise<void> {
  await page.evaluate(AXE)
  const faults = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      preload: false,
      resultTypes: ['violations'],
    })
    return violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.map((node) => node.html) }))
  })
  expect(faults).toEqual([])
}
