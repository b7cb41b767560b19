import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cleanLine } from '../base/text.ts'
import { LONGEST_QUESTION } from '../search/find/question.ts'
import { notFound } from '../server/http/errors.ts'
import { urls } from '../urls.ts'
import { chaptersFor, picturesIn, plainText, type Chapter } from './manual.ts'
import { installedManual } from './open-manual.server.ts'
import { searchManual } from './search-manual.ts'

/** Chapters that had another name. */
const RENAMED: ReadonlyMap<string, string> = new Map([['brugere', 'personer']])

/** Adds the manual. Everybody reads the chapters that they can use; without a session, those about getting in. */
export function addHelp(app: FastifyInstance): void {
  const config = { right: 'visit' } as const

  app.get(urls.help, { config }, async (request, reply) => {
    const chapters = await chaptersOf(request)
    const q = questionIn(request)
    return reply.page(
      'help',
      { q, answer: q === '' ? null : searchManual(chapters, q), chapters: chapters.map(entryOf) },
      'Hjælp',
    )
  })

  app.get<{ Params: { chapter: string } }>(
    urls.helpChapter(':chapter'),
    { config },
    async (request, reply) => {
      const chapters = await chaptersOf(request)
      const index = chapters.findIndex(({ slug }) => slug === request.params.chapter)
      const chapter = chapters[index]
      const renamed = RENAMED.get(request.params.chapter)
      if (renamed) return reply.redirect(urls.helpChapter(renamed), 301)
      if (!chapter) throw notFound()
      const { pictures } = await installedManual()
      const named = picturesIn([chapter.blocks, ...chapter.sections.map(({ blocks }) => blocks)].flat())
      return reply.page(
        'help-chapter',
        {
          chapter: {
            title: chapter.title,
            blocks: chapter.blocks,
            sections: chapter.sections.map(sectionOf),
          },
          pictures: Object.fromEntries([...pictures].filter(([name]) => named.includes(name))),
          before: linkTo(chapters[index - 1]),
          after: linkTo(chapters[index + 1]),
        },
        `${chapter.title} · Hjælp`,
      )
    },
  )

  app.get<{ Params: { file: string } }>(urls.helpPicture(':file'), { config }, ({ params }, reply) =>
    sendPicture(params.file, reply),
  )
}

/** The pictures show the demo, so everybody may see them. Another picture has another address. */
async function sendPicture(file: string, reply: FastifyReply): Promise<FastifyReply> {
  const { readPicture } = await installedManual()
  const bytes = await readPicture(file)
  if (!bytes) throw notFound()
  return reply.type('image/webp').header('cache-control', 'public, max-age=31536000, immutable').send(bytes)
}

async function chaptersOf({ user }: FastifyRequest): Promise<Chapter[]> {
  return chaptersFor((await installedManual()).chapters, user?.role ?? null)
}

function questionIn({ url }: FastifyRequest): string {
  const q = URL.parse(url, 'http://localhost')?.searchParams.get('q') ?? ''
  return cleanLine(q.slice(0, LONGEST_QUESTION))
}

const linkTo = (chapter: Chapter | undefined) =>
  chapter ? { title: chapter.title, href: urls.helpChapter(chapter.slug) } : null

const sectionOf = ({ id, title, blocks }: Chapter['sections'][number]) => ({ id, title, blocks })

/** Returns what the list of chapters shows of one: how it begins, and what is in it. */
function entryOf({ slug, title, blocks, sections }: Chapter) {
  const [first] = blocks
  return {
    slug,
    title,
    says: first?.kind === 'paragraph' ? firstSentence(plainText(first.parts)) : '',
    sections: sections.map(({ id, title: name }) => ({ id, title: name })),
  }
}

const firstSentence = (text: string) => /^.*?\.(?=\s)/s.exec(text)?.[0] ?? text
