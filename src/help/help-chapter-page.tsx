import { ArrowLeft, ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Blocks, type Pictures } from './blocks.tsx'
import { HelpFrame } from './help-frame.tsx'
import { HelpSearch } from './help-search.tsx'
import type { Block } from './manual.ts'

type Link = { title: string; href: string }

type HelpChapterPageProps = {
  chapter: { title: string; blocks: Block[]; sections: { id: string; title: string; blocks: Block[] }[] }
  pictures: Pictures
  before: Link | null
  after: Link | null
}

/** A chapter of the manual, with the sections that the reader can use. */
export function HelpChapterPage({ chapter, pictures, before, after }: HelpChapterPageProps) {
  const { title, blocks, sections } = chapter
  return (
    <HelpFrame title={title}>
      <div className="grid gap-x-12 gap-y-6 lg:grid-cols-[minmax(0,1fr)_240px]">
        <aside className="grid content-start gap-6 print:hidden lg:sticky lg:top-6 lg:col-start-2 lg:row-start-1 lg:self-start">
          <HelpSearch q="" />
          {sections.length > 1 && <Contents sections={sections} />}
        </aside>
        <article className="grid max-w-[720px] min-w-0 content-start gap-8 text-section lg:col-start-1 lg:row-start-1">
          {blocks.length > 0 && (
            <div className="grid gap-3">
              <Blocks blocks={blocks} pictures={pictures} />
            </div>
          )}
          {sections.map((section) => (
            <section key={section.id} aria-labelledby={section.id} className="grid gap-3">
              <h2 id={section.id} className="scroll-mt-4 text-modal font-semibold break-after-avoid">
                {section.title}
              </h2>
              <Blocks blocks={section.blocks} pictures={pictures} />
            </section>
          ))}
          <nav
            aria-label="Flere emner"
            className="flex flex-wrap justify-between gap-x-6 gap-y-2 border-t border-line pt-4 text-body print:hidden"
          >
            {before && (
              <NextLink link={before} rel="prev">
                <ArrowLeft size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
                <span className="sr-only">Forrige emne: </span>
                {before.title}
              </NextLink>
            )}
            {after && (
              <NextLink link={after} rel="next">
                <span className="sr-only">Næste emne: </span>
                {after.title}
                <ArrowRight size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
              </NextLink>
            )}
          </nav>
        </article>
      </div>
    </HelpFrame>
  )
}

function NextLink({ link, rel, children }: { link: Link; rel: 'prev' | 'next'; children: ReactNode }) {
  return (
    <a
      href={link.href}
      rel={rel}
      className={`inline-flex min-h-9 items-center gap-2 font-medium text-accent underline-offset-2 hover:underline pointer-coarse:min-h-11 ${rel === 'next' ? 'ml-auto' : ''}`}
    >
      {children}
    </a>
  )
}

function Contents({ sections }: { sections: { id: string; title: string }[] }) {
  return (
    <nav aria-label="På siden" className="max-lg:hidden">
      <p className="mb-1 font-medium">På siden</p>
      <ul className="border-l border-line">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="flex min-h-8 items-center py-1 pl-3 text-muted underline-offset-2 hover:text-ink hover:underline"
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
