import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { PROJECT } from '../server/process/project-directory.ts'
import { urls } from '../urls.ts'
import type { Chapter, Picture } from './manual.ts'
import { parseManual } from './parse-manual.server.ts'
import { webpSize } from './webp-size.ts'

/** The manual with its pictures, as it is installed. */
type Manual = {
  chapters: Chapter[]
  pictures: Map<string, Picture>
  /** Returns the bytes of a picture by the last part of its address; null if there is none. */
  readPicture: (file: string) => Promise<Buffer | null>
}

let opening: Promise<Manual> | undefined

/** Opens the installed manual at the first request. A failure is not cached. */
export function installedManual(): Promise<Manual> {
  opening ??= openManual({
    text: new URL('docs/brugervejledning.md', PROJECT),
    pictures: new URL('docs/pictures/', PROJECT),
  }).catch((error: unknown) => {
    opening = undefined
    throw error
  })
  return opening
}

export async function openManual(from: { text: URL; pictures: URL }): Promise<Manual> {
  const chapters = parseManual(await readFile(from.text, 'utf8'))
  const files = await hashedFiles(from.pictures)
  const byName = new Map([...files].map(([file, { name }]) => [name, file]))
  const pictures = new Map<string, Picture>()
  for (const [name, light] of byName) {
    if (!name.endsWith('-light')) continue
    const plain = name.slice(0, -'-light'.length)
    const dark = byName.get(`${plain}-dark`) ?? light
    const { width, height } = files.get(light)!
    pictures.set(plain, { light: urls.helpPicture(light), dark: urls.helpPicture(dark), width, height })
  }
  return {
    chapters,
    pictures,
    readPicture: async (file) => {
      const known = files.get(file)
      return known ? readFile(known.url) : null
    },
  }
}

type HashedFile = { name: string; url: URL; width: number; height: number }

/** A picture's address has a part of its hash: another picture has another address. */
async function hashedFiles(directory: URL): Promise<Map<string, HashedFile>> {
  const files = new Map<string, HashedFile>()
  for (const entry of await list(directory)) {
    const name = /^([a-z-]+)\.webp$/.exec(entry)?.[1]
    if (name === undefined) continue
    const url = new URL(entry, directory)
    const bytes = await readFile(url)
    const { width, height } = webpSize(bytes)
    const part = hash('sha256', bytes).slice(0, 12)
    files.set(`${name}-${part}.webp`, { name, url, width, height })
  }
  return files
}

/** Lists a directory; an installation without pictures has a manual all the same. */
async function list(directory: URL): Promise<string[]> {
  try {
    return (await readdir(directory)).sort()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
