import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

/** Asks axe about the page as it stands now, with what a test has opened or selected in it. */
export async function checkAxe(page: Page): Promise<void> {
  await page.evaluate(axe.source)
  const faults = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      preload: false,
      resultTypes: ['violations'],
    })
    return violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.map((node) => node.html) }))
  })
  expect(faults).toEqual([])
}
