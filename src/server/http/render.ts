import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Envelope, PageName, PageProps } from '../../pages.ts'
import type { Frame, Theme } from '../../ui/basic/frame.ts'
import { clientOf } from './answer-turns.ts'
import { FairQueue } from '../process/fair-queue.ts'
import { PROJECT } from '../process/project-directory.ts'
import { openBuiltPages, openVitePages, type Pages } from './page-source.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Renders a page of `pages.ts` into #app. */
    page<Name extends PageName>(name: Name, props: PageProps<Name>, title: string): Promise<FastifyReply>
  }
}

type Known = Omit<Frame, 'theme' | 'narrow' | 'path' | 'url' | 'token'>

type Options = {
  development: boolean
  /** Returns what the page knows about the person and the installation, and where its help is. */
  frameOf: (request: FastifyRequest, page: PageName) => Known | Promise<Known>
}

/** Pages with more data than this take much time and memory; few do. */
const LARGE = 100_000

export async function addRenderer(app: FastifyInstance, { frameOf, development }: Options): Promise<void> {
  const rendering = new FairQueue({ each: 1 })
  const largeOnes = new FairQueue({ atOnce: 2 })
  const pages: Pages = await (development ? openVitePages(app) : openBuiltPages(app))

  /** One page at a time per client, and a few large ones in all, which bounds their memory. */
  async function renderInTurn(request: FastifyRequest, envelope: Envelope, size: number): Promise<string> {
    const client = clientOf(request)
    return rendering.run(client, () =>
      size < LARGE ? pages.render(envelope) : largeOnes.run(client, () => pages.render(envelope)),
    )
  }

  async function page(this: FastifyReply, name: PageName, props: unknown, title: string) {
    const { cookies, url } = this.request
    const theme = themeOf(cookies.theme)
    const frame: Frame = {
      ...(await frameOf(this.request, name)),
      theme,
      narrow: cookies.sidebar === 'narrow',
      path: url.split('?')[0]!,
      url,
      token: this.csrfToken(),
    }
    const envelope: Envelope = { name, props, frame }
    const json = embed(envelope)
    const [template, html] = await Promise.all([
      pages.template(url),
      renderInTurn(this.request, envelope, json.length),
    ])
    const parts: Record<string, string> = {
      '%THEME%': theme,
      '%TITLE%': escapeText(title === 'Ringbind' ? title : `${title} · Ringbind`),
      '%NONCE%': this.scriptNonce ?? '',
      '<!--%PARTS%-->': pages.parts(name),
      '<!--%APP%-->': html,
      '<!--%PAGE%-->': json,
    }
    void this.type('text/html; charset=utf-8').header('cache-control', 'no-store')
    // A function, because '$' has a meaning in a replacement text.
    return this.send(
      template.replace(/%THEME%|%TITLE%|%NONCE%|<!--%(?:PARTS|APP|PAGE)%-->/g, (part) => parts[part]!),
    )
  }
  app.decorateReply('page', page)
}

function themeOf(cookie: string | undefined): Theme {
  return cookie === 'light' || cookie === 'dark' ? cookie : 'auto'
}

/** Writes JSON that cannot end its script element. */
function embed(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** The plain page for when even the error page cannot be rendered. */
export async function plainPage(title: string, text: string): Promise<string> {
  const source = await readFile(new URL('src/server/http/plain-page.html', PROJECT), 'utf8')
  return source.replaceAll('%TITLE%', () => escapeText(title)).replace('%TEXT%', () => escapeText(text))
}
