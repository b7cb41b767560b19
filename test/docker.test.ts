import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './processes.ts'

const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')
const patterns = read('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

/** Returns whether Docker copies the file: the last pattern that matches it or one of its directories decides. */
function goesIn(path: string): boolean {
  const places = path.split('/').map((_, index, names) => names.slice(0, index + 1).join('/'))
  const fits = (place: string, pattern: string) => pattern === '*' || matchesGlob(place, pattern)
  const last = patterns.findLast((each) => places.some((place) => fits(place, each.replace(/^!/, ''))))
  return last?.startsWith('!') ?? true
}

it('the image contains only the files that .dockerignore names', () => {
  expect(patterns[0]).toBe('*')
  const named = patterns.filter((each) => each.startsWith('!')).map((each) => each.slice(1))
  expect(named.filter((name) => !existsSync(join(ROOT, name)))).toEqual([])
  const strangers = [
    'data/postgres/cluster/PG_VERSION',
    'data-2026-11-16-0300/lock',
    'backup/kopi.tar',
    'kopi.tar',
  ]
  const secrets = ['.env', '.env.old', '.git/config', 'node_modules/x/index.js', 'dist/server/serve.js']
  for (const path of [...strangers, ...secrets, 'demo/demo.ts', 'src/app.test.ts'])
    expect([path, goesIn(path)]).toEqual([path, false])
})

it('.dockerignore names everything that the Dockerfile, the build and the program read', () => {
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, names]) =>
    names!.split(' '),
  )
  const sources = globSync('src/**/*.{ts,tsx,css,svg,html,txt}', { cwd: ROOT }).filter(
    (path) => !/\.test\.tsx?$/.test(path),
  )
  const opened = sources.flatMap((path) =>
    [...read(path).matchAll(/new URL\(['`]([^'`$]+)['`], PROJECT\)/g)].map(([, name]) =>
      name!.replace(/\/$/, ''),
    ),
  )
  const needed = [
    ...copied,
    ...sources,
    ...opened,
    'index.html',
    'vite.config.ts',
    'db/0001_danish.sql',
    'db/history/edited.sql',
  ]
  const commands = ['backup', 'command', 'move-storage', 'restore', 'verify'].map(
    (name) => `scripts/${name}.ts`,
  )
  expect(opened).toContain('db')
  const missing = [...needed, ...commands].filter(
    (path) => path !== '.' && !path.startsWith('dist') && !goesIn(path),
  )
  expect(missing).toEqual([])
})

it('compose trusts exactly one proxy in front of it', () => {
  expect(read('compose.yaml')).toMatch(/^ +TRUST_PROXY: '1'$/m)
})
