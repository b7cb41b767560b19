import { gzipSync } from 'node:zlib'
import type { Result } from './result.ts'

type Script = { code: string; bytes: number; isLazy: boolean }

/** Weighs all scripts of a page and their imports, gzipped; with `withLazy` also the scripts that they load later. */
export async function weigh(
  path: string,
  bodyOf: (path: string) => Promise<string>,
  { mostKilobytes, withLazy = false }: { mostKilobytes: number; withLazy?: boolean },
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
    if (name === entry || !withLazy) continue
    for (const next of namesIn(code, /import\(["'`]\.\/([^"'`]+\.js)["'`]\)/g)) await add(next, true)
  }
  const all = [...scripts.values()]
  const sum = (some: Script[]) => some.reduce((bytes, script) => bytes + script.bytes, 0) / 1000
  const [kilobytes, lazy] = [sum(all), sum(all.filter(({ isLazy }) => isLazy))]
  return {
    what: `JavaScript of ${path}, gzipped, in ${all.length} files`,
    measured: `${kilobytes.toFixed(1)} kB${lazy > 0 ? `, ${lazy.toFixed(1)} of them when needed` : ''}`,
    aim: `≤ ${mostKilobytes} kB`,
    met: kilobytes <= mostKilobytes,
  }
}

function namesIn(code: string, pattern: RegExp): string[] {
  return [...code.matchAll(pattern)].map(([, name]) => `/assets/${name}`)
}
