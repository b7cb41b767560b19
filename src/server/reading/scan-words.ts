/** Letters that tesseract believes in less than this are mostly not letters: photos and stamps are full of them. */
const LEAST_CONFIDENCE = 40

/** Returns the words in what tesseract answers as TSV, line by line, without those it does not believe in. */
export function scanWords(tsv: string): string {
  const lines = new Map<string, string[]>()
  for (const row of tsv.split('\n')) {
    const [level, page, block, paragraph, line, , , , , , confidence, ...word] = row.split('\t')
    if (level !== '5' || Number(confidence) < LEAST_CONFIDENCE) continue
    const key = [page, block, paragraph, line].join()
    const words = lines.get(key) ?? []
    lines.set(key, [...words, word.join(' ')])
  }
  const text = [...lines.values()].map((words) => words.join(' ')).join('\n')
  // A few strokes of a drawing are no text.
  return /\p{L}{3}/u.test(text) ? text : ''
}
