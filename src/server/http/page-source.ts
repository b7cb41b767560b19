import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Envelope, PageName } from '../../pages.ts'
import { urls } from '../../urls.ts'
import { PROJECT } from '../process/project-directory.ts'

/** The source of pages: the build, or Vite in development. */
export type Pages = {
  template: (url: string) => Promise<string>
  render: (envelope: Envelope) => Promise<string>
  /** Files that the browser can start to fetch early. */
  parts: (name: PageName) => string
}

type PageEntry = { render: (envelope: Envelope) => Promise<string> }
type Manifest = Record<string, { file: string; imports?: string[]; name?: string }>

const DIST = new URL('dist/', PROJECT)
const FONT = 'inter-latin-wght-normal.woff2'

let loading: Promise<PageEntry> | undefined

/** Loads the built pages, once. The start does so while it waits for PostgreSQL. */
export function loadBuiltPages(): Promise<PageEntry> {
  return (loading ??= import(new URL('pages/page-entry.js', DIST).href) as Promise<PageEntry>)
}

export async function openBuiltPages(app: FastifyInstance): Promise<Pages> {
  await app.register(fastifyStatic, {
    root: fileURLToPath(new URL('client/assets/', DIST)),
    prefix: urls.assets,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
    decorateReply: false,
    index: false,
  })
  const template = inOrder(await readFile(new URL('client/index.html', DIST), 'utf8'))
  const manifest = JSON.parse(await readFile(new URL('client/manifest.json', DIST), 'utf8')) as Manifest
  const entry = await loadBuiltPages()
  const all = new Map<PageName, string>()
  return {
    template: () => Promise.resolve(template),
    render: (envelope) => entry.render(envelope),
    parts(name) {
      const parts = all.get(name) ?? partsOf(manifest, name)
      all.set(name, parts)
      return parts
    },
  }
}

/** Has the browser fetch the style first, as nothing is drawn without it, and the scripts last. Vite puts them the other way. */
function inOrder(html: string): string {
  const [style = ''] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? []
  const scripts = html.match(SCRIPTS) ?? []
  return html
    .replace(SCRIPTS, '')
    .replace(style, '')
    .replace('<head>', `<head>${style}`)
    .replace('</body>', () => `${scripts.join('')}</body>`)
}

const SCRIPTS = /<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g

function partsOf(manifest: Manifest, name: PageName): string {
  const find = (ending: string) => Object.keys(manifest).find((key) => key.endsWith(ending))
  const font = manifest[find(FONT) ?? '']
  const scripts = new Set<string>()
  const add = (key: string | undefined) => {
    const chunk = key && manifest[key]
    if (!chunk || chunk.file === manifest['index.html']?.file || scripts.has(chunk.file)) return
    scripts.add(chunk.file)
    chunk.imports?.forEach(add)
  }
  add(find(`/${name}-page.tsx`))
  return [
    font && `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font.file}">`,
    ...[...scripts].map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
  ]
    .filter(Boolean)
    .join('')
}

export async function openVitePages(app: FastifyInstance): Promise<Pages> {
  const { createServer, isRunnableDevEnvironment } = await import('vite')
  const vite = await createServer({
    // Any other loader writes a temporary file, which makes `node --watch` restart endlessly.
    configLoader: 'native',
    root: fileURLToPath(PROJECT),
    logLevel: 'warn',
    server: { middlewareMode: true, hmr: { server: app.server } },
  })
  const { ssr } = vite.environments
  if (!isRunnableDevEnvironment(ssr)) throw new Error('Vite cannot run the pages on the server.')
  // Vite answers its own requests; the rest go on to the routes.
  app.addHook('onRequest', (request, reply, done) => vite.middlewares(request.raw, reply.raw, done))
  app.addHook('onClose', () => vite.close())
  return {
    template: async (url) =>
      vite.transformIndexHtml(url, await readFile(new URL('index.html', PROJECT), 'utf8')),
    render: async (envelope) => (await ssr.runner.import<PageEntry>('/src/page-entry.tsx')).render(envelope),
    parts: () => '',
  }
}
