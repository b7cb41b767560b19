import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../start/processes.ts'

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

it('the image keeps the lock file from which its build was made', () => {
  expect(read('Dockerfile')).toMatch(/npm prune .*--no-save/)
})

/** Returns the text of each service of a compose file by its name. */
function servicesOf(file: string): Record<string, string> {
  const [, services] = /^services:\n([^]*?)(?=^\S|$(?![^]))/m.exec(read(file))!
  const parts = services!.split(/^ {2}(\w+):\n/m).slice(1)
  return Object.fromEntries(
    parts.flatMap((name, index) => (index % 2 === 0 ? [[name, parts[index + 1]!]] : [])),
  )
}

it('compose confines what it starts, and publishes only Ringbind, to one proxy on this computer', () => {
  expect(Object.keys(servicesOf('compose.yaml'))).toEqual(['ringbind'])
  expect(Object.keys(servicesOf('compose.large.yaml'))).toEqual(['ringbind', 'database', 'store'])
  for (const file of ['compose.yaml', 'compose.large.yaml']) {
    for (const [name, text] of Object.entries(servicesOf(file))) {
      const isRingbind = name === 'ringbind'
      expect([file, name, /^ {4}ports:\n {6}- '127\.0\.0\.1:3000:3000'\n {4}\w/m.test(text)]).toEqual([
        file,
        name,
        isRingbind,
      ])
      expect(/^ {4}ports:/m.test(text)).toBe(isRingbind)
      expect(/^ {6}TRUST_PROXY: '1'$/m.test(text)).toBe(isRingbind)
      for (const line of ['read_only: true', '  - ALL', '  - no-new-privileges:true'])
        expect([file, name, text.includes(`    ${line}\n`)]).toEqual([file, name, true])
      // The image has its own user and its own health check.
      if (!isRingbind) expect(text).toMatch(/^ {4}user: '10001:10001'$/m)
      if (!isRingbind) expect(text).toMatch(/^ {4}healthcheck:$/m)
    }
  }
  // No secret has an initial value: without one nothing starts.
  const large = read('compose.large.yaml')
  for (const [, value] of large.matchAll(/(?:PASSWORD|KEY\w*): (.*)$/gm))
    expect(value).toMatch(/^\$\{\w+:\?\}$/)
  expect(large).toMatch(/^ {2}inside:\n {4}internal: true$/m)
})
