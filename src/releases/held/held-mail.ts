import { letter } from '../../office/letter.ts'
import type { Office } from '../../office/office.ts'

/** A paper as the mail names it. */
export type NamedPaper = { name: string; text: string }

/** Tells the uploader of papers that some of them are held back, and why. `more`: how many others there are. */
export function heldMail(
  office: Office,
  to: { name: string; email: string },
  { papers, more }: { papers: NamedPaper[]; more: number },
  link: string,
) {
  const count = papers.length + more
  const files = count === 1 ? 'Et papir' : `${count} papirer`
  return letter(office, {
    to,
    subject: `${files}, du har gemt, er holdt tilbage`,
    link,
    action: count === 1 ? 'Se på papiret' : 'Se på papirerne',
    before: [
      `${files}, du har gemt, er læst nu, og ${count === 1 ? 'det' : 'de'} ser ikke ud til at høre til der, hvor ${count === 1 ? 'det' : 'de'} ligger. Kun kontoret kan se ${count === 1 ? 'det' : 'dem'}, til en af jer har set på ${count === 1 ? 'det' : 'dem'}.`,
      [...papers.map(({ name, text }) => `• ${name}\n  ${text}`), more > 0 && `• og ${more} mere`]
        .filter(Boolean)
        .join('\n'),
    ],
    after: '',
  })
}
