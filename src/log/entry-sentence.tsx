import { Fragment } from 'react'
import type { LogEntry } from './words/entry.ts'
import { sentenceOf } from './words/sentence.ts'

/** The entry as a sentence, with links to the things it mentions. */
export function EntrySentence({ entry }: { entry: LogEntry }) {
  return sentenceOf(entry).map(({ text, href }, index) =>
    href === undefined ? (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of a sentence stay where they are
      <Fragment key={index}>{text}</Fragment>
    ) : (
      <a
        // oxlint-disable-next-line react/no-array-index-key -- the parts of a sentence stay where they are
        key={index}
        href={href}
        className="text-accent underline decoration-line-strong underline-offset-2 hover:decoration-accent"
      >
        {text}
      </a>
    ),
  )
}
