import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { statementOf } from './papers/statements.ts'
import { collectedStatements } from './papers/collected-statements.ts'
import { pdf } from './papers/writing/pdf.ts'
import { png } from './papers/writing/png.ts'

const note = (name: string, text: string) => ({
  name,
  bytes: pdf({ title: text, from: 'Ringbind', reference: 'Demo', lines: ['Et eksempel til at uploade.'] }),
})

/** A paper that says itself whose it is, whatever its file is called. */
function spoken(name: string, title: string, { from, cvr, lines }: Spoken): { name: string; bytes: Buffer } {
  const bytes = pdf({
    title,
    from,
    reference: `CVR-nr. ${cvr}`,
    lines: [from, `CVR-nr. ${cvr}`, '', ...lines],
  })
  return { name, bytes }
}

type Spoken = { from: string; cvr: string; lines: string[] }

const NORDHAVN = { from: 'K/S Nordhavn Kontorhus', cvr: '38291041' }
const OSTERBRO = { from: 'K/S Østerbro Ejendomme', cvr: '27450911' }
const TAULOV = { from: 'K/S Logistik Taulov', cvr: '39904411' }

/** Papers with names that say nothing, and one whose name says something else than the paper. */
const papers = () => [
  spoken('Scan 0002.pdf', 'Budget 2027', {
    ...OSTERBRO,
    lines: [
      'Budget for regnskabsåret 2027',
      'Budgetteret husleje, driftsudgifter og vedligeholdelse er opgjort af administrator.',
      'Budgettet er godkendt på bestyrelsesmødet.',
    ],
  }),
  spoken('Scan 0003.pdf', 'Forsikringspolice 2027', {
    ...TAULOV,
    lines: [
      'Police for bygningsforsikring, gældende fra 1. januar 2027',
      'Forsikringen dækker brand, storm og vandskade. Selvrisiko og præmie fremgår af policen.',
    ],
  }),
  spoken('Årsrapport (1031) 2025 revideret.pdf', 'Årsrapport 2025', {
    ...NORDHAVN,
    lines: [
      'Årsrapport for regnskabsåret 1. januar – 31. december 2025',
      'Ledelsespåtegning, resultatopgørelse og balance.',
    ],
  }),
]

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
    ...papers(),
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
