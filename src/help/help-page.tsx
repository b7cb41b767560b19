import { MarkedText } from '../search/answer/marked-text.tsx'
import { urls } from '../urls.ts'
import { HelpFrame } from './help-frame.tsx'
import { HelpSearch } from './help-search.tsx'
import { addressOf } from './manual.ts'
import type { Answer } from './search-manual.ts'

type Entry = { slug: string; title: string; says: string; sections: { id: string; title: string }[] }

type HelpPageProps = {
  q: string
  /** The sections that were found; null if nobody has searched. */
  answer: Answer | null
  chapters: Entry[]
}

/** The manual's first page: its search, what was found, and the chapters. */
export function HelpPage({ q, answer, chapters }: HelpPageProps) {
  return (
    <HelpFrame title="Hjælp" isFirst>
      <div className="grid gap-6">
        <div className="max-w-[720px]">
          <HelpSearch q={q} />
        </div>
        {answer && <Found q={q} answer={answer} />}
        {(!answer || answer.found.length === 0) && <Chapters chapters={chapters} />}
      </div>
    </HelpFrame>
  )
}

function Found({ q, answer: { found, corrected } }: { q: string; answer: Answer }) {
  if (found.length === 0)
    return (
      <div className="max-w-[720px]">
        <output>Der står ikke noget om ”{q}” i hjælpen.</output>
        <p className="mt-1 text-muted">Prøv med færre eller andre ord, eller find emnet herunder.</p>
      </div>
    )
  return (
    <section aria-label="Fundet" className="grid max-w-[720px] gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <output>
          {found.length === 1 ? 'Ét sted' : `${found.length} steder`}
          {corrected !== null && (
            <>
              {' '}
              · Rettet til: <strong className="font-semibold">{corrected}</strong>
            </>
          )}
        </output>
        <a href={urls.help} className="text-accent underline-offset-2 hover:underline">
          Vis alle emner
        </a>
      </div>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {found.map(({ href, chapter, title, context }) => (
          <li key={href} className="grid gap-1 px-4 py-3">
            {chapter !== null && <p className="text-meta text-muted">{chapter}</p>}
            <a
              href={href}
              className="justify-self-start font-medium text-accent underline-offset-2 wrap-anywhere hover:underline"
            >
              <MarkedText pieces={title} />
            </a>
            <p className="text-muted wrap-anywhere">
              <MarkedText pieces={context} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Chapters({ chapters }: { chapters: Entry[] }) {
  return (
    <ul aria-label="Emner" className="gap-4 sm:columns-2 lg:columns-3">
      {chapters.map(({ slug, title, says, sections }) => (
        <li key={slug} className="mb-4 break-inside-avoid rounded-card border border-line bg-surface p-4">
          <h2 className="text-section font-semibold">
            <a href={addressOf(slug)} className="text-accent underline-offset-2 hover:underline">
              {title}
            </a>
          </h2>
          {says !== '' && <p className="mt-1 text-muted">{says}</p>}
          {sections.length > 0 && (
            <ul className="mt-2">
              {sections.map(({ id, title: name }) => (
                <li key={id}>
                  <a
                    href={addressOf(slug, id)}
                    className="inline-flex min-h-7 items-center underline-offset-2 hover:underline pointer-coarse:min-h-11"
                  >
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  )
}
