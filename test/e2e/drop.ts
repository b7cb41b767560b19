import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, type Locator, type Page } from '@playwright/test'

type DroppedFile = string | { name: string; text: string }

const contentOf = (file: DroppedFile) =>
  typeof file === 'string' ? { name: file, text: /\.pdf$/i.test(file) ? `%PDF-1.7 ${file}` : file } : file

/** Drops files that exist only in the page. */
export async function dropFiles(page: Page, files: DroppedFile[]): Promise<void> {
  const transfer = await page.evaluateHandle((all) => {
    const made = new DataTransfer()
    for (const { name, text } of all) made.items.add(new File([text], name))
    return made
  }, files.map(contentOf))
  const zone = page.getByText(/Træk filer her\.|Træk den nye fil hertil\.|Slip Filer her/)
  await zone.dispatchEvent('dragenter', { dataTransfer: transfer })
  await expect(page.getByText('Slip Filer her')).toBeVisible()
  await zone.dispatchEvent('drop', { dataTransfer: transfer })
}

/** Writes files and directories for a drop from the disk. Returns a function that gives their paths. */
export function onDisk(files: Record<string, string | Buffer>): (name: string) => string {
  const root = test.info().outputPath('slip')
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  return (name) => join(root, name)
}

/** Drops files from the disk as a person does: the browser reads them, and directories too. */
export async function dropFromDisk(page: Page, paths: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { x, y, width, height } = (await page
    .getByText(/Træk filer her\.|Træk den nye fil hertil\.|Slip Filer her/)
    .boundingBox())!
  const data = { items: [], files: paths, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data })
    if (type === 'dragOver') await expect(page.getByText('Slip Filer her')).toBeVisible()
  }
  await session.detach()
}

/** Drags files from the disk over an element that is not a dropzone, and drops them. */
export async function dropBeside(
  page: Page,
  onto: Locator,
  paths: string[],
  look: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { x, y, width, height } = (await onto.boundingBox())!
  const data = { items: [], files: paths, dragOperationsMask: 1 }
  const at = { x: x + width / 2, y: y + height / 2, data }
  await session.send('Input.dispatchDragEvent', { type: 'dragEnter', ...at })
  await session.send('Input.dispatchDragEvent', { type: 'dragOver', ...at })
  await look()
  await session.send('Input.dispatchDragEvent', { type: 'drop', ...at })
  await session.detach()
}
