import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib'
import { centralHeader, endOf, localHeader, type ZipEntry } from '../../base/zip-format.ts'
import { cellOf, letterOf, rowOf, workbookOf, worksheetOf } from '../../report/workbook.ts'
import { syncDirectory } from '../../server/storage/sync-directory.ts'
import type { Column } from './table.ts'

type Sheet = {
  title: string
  office: string
  columns: readonly Column[]
  /** How many rows there will be, the heading not counted. */
  count: number
  rows: AsyncIterable<string[][]>
}

/** The longest text that a cell can have. */
const MOST_LETTERS = 32_000
const MARK = 'rows-go-here'
const FIRST_DAY = Date.UTC(1980, 0, 1) / 1000

/**
 * Writes an Excel file row by row, so that a table of a hundred thousand rows needs no more memory than a short one. Every cell is
 * text: '0102' stays as it is, and '=1+1' is no formula. The file is there when it is whole.
 */
export async function writeSheet(path: string, sheet: Sheet): Promise<void> {
  const temporary = `${path}.part`
  try {
    {
      await using handle = await open(temporary, 'w', 0o600)
      await writeArchive(handle, sheet)
      await handle.sync()
    }
    await rename(temporary, path)
    await syncDirectory(dirname(path) || '.')
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function writeArchive(handle: FileHandle, sheet: Sheet): Promise<void> {
  const parts = workbookOf([{ name: 'Filer', sheet: wrappingOf(sheet) }])
  const small = parts.slice(0, -1)
  const last = parts.at(-1)!
  const central: Uint8Array[] = []
  let offset = 0
  const write = async (bytes: Uint8Array) => {
    await handle.write(bytes, 0, bytes.length, offset)
    offset += bytes.length
  }
  for (const { name, text } of small) {
    const bytes = Buffer.from(text)
    const packed = deflateRawSync(bytes)
    const entry = entryOf(name, crc32(bytes), packed.length, bytes.length)
    central.push(centralHeader(entry, offset))
    await write(localHeader(entry))
    await write(packed)
  }
  // Its sizes are known afterwards: the header is written again then. It is as long, for a sheet of less than 4 GB.
  const begin = offset
  await write(localHeader(entryOf(last.name, 0, 0, 0)))
  const sums = { crc: 0, size: 0 }
  const from = offset
  await pipeline(
    textOf(last.text, sheet, sums),
    createDeflateRaw(),
    async (packed: AsyncIterable<Buffer>) => {
      for await (const chunk of packed) await write(chunk)
    },
  )
  const entry = entryOf(last.name, sums.crc, offset - from, sums.size)
  const header = localHeader(entry)
  await handle.write(header, 0, header.length, begin)
  central.push(centralHeader(entry, begin))
  const list = offset
  for (const each of central) await write(each)
  await write(endOf({ entries: central.length, offset: list, length: offset - list }))
}

const entryOf = (name: string, crc: number, packed: number, size: number): ZipEntry => ({
  name,
  method: 'deflated',
  crc32: crc,
  packed,
  size,
  modified: { utc: FIRST_DAY, local: FIRST_DAY },
})

/** The sheet around its rows. */
function wrappingOf({ title, office, columns, count }: Sheet): string {
  const all = `A1:${letterOf(columns.length - 1)}${count + 1}`
  return worksheetOf({
    rows: [MARK],
    widths: columns.map(({ width }) => width),
    title,
    office,
    numbersAsText: all,
  })
    .replace(/<dimension [^>]*>/, `<dimension ref="${all}"/>`)
    .replace('</sheetData>', `</sheetData><autoFilter ref="${all}"/>`)
}

async function* textOf(
  wrapping: string,
  { columns, rows }: Sheet,
  sums: { crc: number; size: number },
): AsyncGenerator<Buffer> {
  const summed = (text: string) => {
    const bytes = Buffer.from(text)
    sums.crc = crc32(bytes, sums.crc)
    sums.size += bytes.length
    return bytes
  }
  const at = wrapping.indexOf(MARK)
  const head = columns.map(({ text }, index) => cellOf(index, 1, 'head', text))
  yield summed(wrapping.slice(0, at) + rowOf(1, head))
  let number = 1
  for await (const some of rows)
    yield summed(
      some
        .map((cells) => {
          number++
          const written = cells.map((text, index) =>
            cellOf(index, number, 'text', text === '' ? null : text.slice(0, MOST_LETTERS)),
          )
          return rowOf(number, written)
        })
        .join(''),
    )
  yield summed(wrapping.slice(at + MARK.length))
}
