import type { PaperNote } from './paper-note.ts'

/** Shows the notes of a paper as links. */
export function PaperNotes({ notes }: { notes: PaperNote[] | undefined }) {
  return notes?.map(({ text, href }) => (
    <p key={href} className="text-meta wrap-anywhere">
      <a href={href} className="text-accent underline underline-offset-2 pointer-coarse:py-3">
        {text}
      </a>
    </p>
  ))
}
