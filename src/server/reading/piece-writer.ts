/** More pages than this are not kept. */
export const MOST_PAGES = 5000
/** More text than this is not kept: three times the Bible. */
export const MOST_TEXT_BYTES = 16 * 1024 * 1024

/** A document without pages is stored in pieces of about this many letters. */
const PIECE_LETTERS = 10_000

/** Enough of a document is read. */
export class Enough extends Error {}

/** Collects the text of a document, and throws `Enough` when there is more than is kept. */
export class PieceWriter {
  #pages: string[] = []
  #page = ''
  #letters = 0

  add(text: string): void {
    this.#page += text
    this.#letters += text.length
    if (this.#letters > MOST_TEXT_BYTES) throw new Enough()
  }

  /** Ends a line. A long page ends with it. */
  endLine(): void {
    this.add('\n')
    if (this.#page.length >= PIECE_LETTERS) this.endPage()
  }

  /** Begins another page, unless this one is empty. */
  breakPage(): void {
    if (this.#page !== '') this.endPage()
  }

  endPage(): void {
    this.#pages.push(this.#page)
    this.#page = ''
    if (this.#pages.length > MOST_PAGES) throw new Enough()
  }

  /** Returns everything that was added, each page with a form feed at its end. */
  finish(): string {
    const all = this.#page === '' ? this.#pages : [...this.#pages, this.#page]
    return all.map((page) => `${page.replaceAll('\f', '\n')}\f`).join('')
  }
}
