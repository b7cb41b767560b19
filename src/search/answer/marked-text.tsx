import type { Piece } from './results.ts'

/** A text with the words that were searched for marked. */
export function MarkedText({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map(({ text, isHit }, index) =>
    // oxlint-disable-next-line react/no-array-index-key -- the same word may stand there twice
    isHit ? <mark key={index}>{text}</mark> : text,
  )
}
