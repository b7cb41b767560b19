import { expect, type Page } from '@playwright/test'

type Dropped = string | { name: string; text: string }

const contentOf = (file: Dropped) =>
  typeof file === 'string' ? { name: file, text: /\.pdf$/i.test(file) ? `%PDF-1.7 ${file}` : file } : file

/** Drops files as the browser does it. */
export async function dropFiles(page: Page, files: Dropped[]): Promise<void> {
  const transfer = await page.evaluateHandle((all) => {
    const made = new DataTransfer()
    for (const { name, text } of all) made.items.add(new File([text], name))
    return made
  }, files.map(contentOf))
  const zone = page.getByText(/Træk filer her\.|Slip Filer her/)
  await zone.dispatchEvent('dragenter', { dataTransfer: transfer })
  await expect(page.getByText('Slip Filer her')).toBeVisible()
  await zone.dispatchEvent('drop', { dataTransfer: transfer })
}
