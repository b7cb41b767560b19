import { gzipSync } from 'node:zlib'
import type { Result } from './result.ts'

type Script = { code: string; bytes: number; isLazy: boolean }

/** Weighs the scripts that a page loads first, gzipped, and tells what those load later. */
export async function weigh(
  what: string,
  path: string,
  bodyOf: (path: string) => Promise<string>,
  { mostKilobytes }: { mostKilobytes: number },
): Promise<Result> {
  const page = await bodyOf(path)
  const scripts = new Map<string, Script>()
  const add = async (name: string, isLazy: boolean): Promise<void> => {
    if (scripts.has(name)) return
    const code = await bodyOf(name)
    scripts.set(name, { code, bytes: gzipSync(code).length, isLazy })
    for (const next of namesIn(code, /(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
      await add(next, isLazy)
  }
  for (const [, name] of page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)) await add(name!, false)
  // The entry can load every page; only this page's imports count.
  const entry = /<script[^>]* src="([^"]+)"/.exec(page)?.[1]
  for (const [name, { code }] of scripts) {
    if (name === entry) continue
    for (const next of namesIn(code, /import\(["'`]\.\/([^"'`]+\.js)["'`]\)/g)) await add(next, true)
  }
  const weightOf = (some: Script[]) => some.reduce((bytes, script) => bytes + script.bytes, 0) / 1000
  const first = [...scripts.values()].filter(({ isLazy }) => !isLazy)
  const later = weightOf([...scripts.values()].filter(({ isLazy }) => isLazy))
  return {
    what: `JavaScript of ${what}, gzipped`,
    value: weightOf(first),
    unit: 'kB',
    note: `in ${first.length} files${later > 0 ? `, and at most ${later.toFixed(1)} kB later` : ''}`,
    aim: { value: mostKilobytes },
  }
}

function namesIn(code: string, pattern: RegExp): string[] {
  return [...code.matchAll(pattern)].map(([, name]) => `/assets/${name}`)
}
