import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { statementOf } from './papers/statements.ts'
import { collectedStatements } from './papers/collected-statements.ts'
import { pdf } from './papers/pdf.ts'
import { png } from './papers/png.ts'

const note = (name: string, text: string) => ({
  name,
  bytes: pdf({ title: text, from: 'Ringbind', reference: 'Demo', lines: ['Et eksempel til at uploade.'] }),
})

/** Files to drop on the upload pages. Most go where they should; the others have one error of each kind. */
export function pile(): { name: string; bytes: Buffer }[] {
  const numbers = ['1024', '1031', '1042', '1058', '1063', '1085', '1090', '1134']
  const [first, second] = numbers as [string, string]
  return [
    ...numbers.map((number) => note(`Budget (${number}) 2027.pdf`, 'Budget for 2027')),
    ...numbers
      .slice(0, 4)
      .map((number) => note(`Kvartalsrapport (${number}) 2026 K4.pdf`, 'Fjerde kvartal 2026')),
    note(`Årsrapport KS (${first}) 2026.pdf`, 'Årsrapport 2026'),
    note(`Arsrapport (${second}) 2026.pdf`, 'Årsrapport 2026'),
    note('Arsrapport (1042) 2026.pdf', 'Årsrapport 2026'),
    note('budget (1058) 2027 udkast.pdf', 'Budget for 2027'),
    note('Ferieplan (1024) 2027.pdf', 'Ferieplan'),
    note('Årsrapport 1063 2026.pdf', 'Årsrapport 2026'),
    note('1085_budget_2028.pdf', 'Budget for 2028'),
    note('Lejeaftale (1042) 2027.pdf', 'Lejeaftale'),
    note('Budget (9999) 2027.pdf', 'Budget for 2027'),
    note('Scan 0001.pdf', 'Uden nummer'),
    {
      name: 'Diverse (1024) Facade.png',
      bytes: png(320, 240, (x, y) => [40 + (x % 64), 90 + (y % 80), 120]),
    },
    collectedStatements(2025),
    ...['2001', '2002', '2003'].map((number) => ({ ...statementOf({ name: 'investor', number }, 2025) })),
  ]
}

/** Writes the files where a person can find them, and returns the directory. */
export function writePile(directory: string): string {
  const place = join(directory, 'slip-disse-filer')
  mkdirSync(place, { recursive: true })
  for (const { name, bytes } of pile()) writeFileSync(join(place, name), bytes)
  return place
}
