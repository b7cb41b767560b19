import type { Chance } from '../chance.ts'
import type { TestPerson, TestProject } from './office.ts'
import type { Sheet } from './sheet.ts'

/** The facts for the writer of a paper. */
export type Writing = {
  chance: Chance
  /** Chooses a wording. The last of many is kept for the part that is looked at only at the end. */
  of: <Item>(items: readonly Item[]) => Item
  sheet: Sheet
  isEnglish: boolean
  project: TestProject
  /** Another project that it mentions as well, or null. */
  other: TestProject | null
  /** The receiver, if it is a person's; otherwise somebody whom it may mention in passing. */
  person: TestPerson
  /** Names of members of the project, for lists. */
  owners: string[]
  /** The year that it is about. */
  year: number
  quarter: number
  /** When it was written. */
  date: Day
  /** A misleading part, or null. */
  trap: Trap | null
  /** Somebody else among the investors, and another project, for traps. */
  bystander: TestPerson
  neighbour: TestProject
  /** A made-up number that looks like a CPR number, to be written somewhere; or null. */
  cpr: string | null
}
/**
 * A cover letter before the paper; an order number that is another project's CVR number; a company with nearly the same
 * name as one of ours; a stranger with nearly the same name as an investor; other investors named in passing; other years.
 */
export const TRAPS = ['cover', 'order', 'sibling', 'near-name', 'copy', 'years'] as const
export type Trap = (typeof TRAPS)[number]
export type Day = { day: number; month: number; year: number }

const MONTHS = 'januar februar marts april maj juni juli august september oktober november december'.split(
  ' ',
)
const ENGLISH_MONTHS =
  'January February March April May June July August September October November December'.split(' ')

/** A day as this paper writes days. */
export function dayText(
  { isEnglish, of }: Pick<Writing, 'isEnglish' | 'of'>,
  { day, month, year }: Day,
): string {
  if (isEnglish)
    return of([`${day} ${ENGLISH_MONTHS[month - 1]} ${year}`, `${ENGLISH_MONTHS[month - 1]} ${day}, ${year}`])
  const two = (number: number) => String(number).padStart(2, '0')
  return of([
    `${day}. ${MONTHS[month - 1]} ${year}`,
    `den ${day}. ${MONTHS[month - 1]} ${year}`,
    `${two(day)}.${two(month)}.${year}`,
    `${two(day)}-${two(month)}-${year}`,
    `${day}/${month} ${year}`,
    `${year}-${two(month)}-${two(day)}`,
  ])
}

/** An amount as written in accounts. */
export function amount(
  { chance, isEnglish }: Pick<Writing, 'chance' | 'isEnglish'>,
  most = 90_000_000,
): string {
  const whole = 1000 + chance.number(most)
  return whole.toLocaleString(isEnglish ? 'en-GB' : 'da-DK')
}

/** A project's name as people write it. */
export function nameOf({ of }: Pick<Writing, 'of'>, { name }: TestProject): string {
  const bare = name.replace(/^K\/S | K\/S$|^Kommanditselskabet /g, '')
  return of([
    name,
    name,
    name,
    `K/S ${bare}`,
    name.toUpperCase(),
    `${bare} K/S`,
    `Kommanditselskabet ${bare}`,
    `KS ${bare}`,
  ])
}

const spaced = (cvr: string) => cvr.replace(/(..)(..)(..)(..)/, '$1 $2 $3 $4')

/** How a CVR number is written. */
export function cvrText({ of, isEnglish }: Pick<Writing, 'of' | 'isEnglish'>, cvr: string): string {
  return isEnglish
    ? of([
        `CVR no. ${cvr}`,
        `Company reg. no. ${spaced(cvr)}`,
        `Business Registration No. ${cvr}`,
        `VAT no. DK${cvr}`,
      ])
    : of([
        `CVR-nr. ${cvr}`,
        `CVR-nr.: ${spaced(cvr)}`,
        `CVR ${cvr}`,
        `CVR nr. ${spaced(cvr)}`,
        `Cvr.nr. DK-${cvr}`,
        `SE/CVR-nr. ${cvr}`,
      ])
}

/** Lines that say which project a paper is of. Each says enough. */
export function identityOf(writing: Writing): string[] {
  const { project, of, isEnglish } = writing
  const name = nameOf(writing, project)
  const cvr = project.cvr === null ? null : cvrText(writing, project.cvr)
  const number = isEnglish
    ? of([`Project no. ${project.number}`, `Project ${project.number}`])
    : of([
        `Projekt ${project.number}`,
        `Projektnr. ${project.number}`,
        `Projekt nr.: ${project.number}`,
        `Sag/projekt ${project.number}`,
      ])
  if (cvr === null) return of([[name], [name, number], [number, name]])
  return of([
    [name, cvr],
    [name, cvr],
    [`${name}, ${cvr}`],
    [`${name} (${cvr})`],
    [name],
    [number, name],
    [number, cvr],
    [name, number, cvr],
    [cvr],
  ])
}

/** A company that the office has nothing to do with, such as an auditor. */
export function strangerCompany({ chance, of }: Pick<Writing, 'chance' | 'of'>): {
  name: string
  cvr: string
} {
  const name = of([
    'Revision Syd Godkendt Revisionsaktieselskab',
    'Møller & Partnere Statsautoriseret Revision',
    'Kystbanken A/S',
    'Dansk Drift og Service ApS',
    'Advokatfirmaet Torvet',
  ])
  return { name, cvr: String(20_000_000 + chance.number(9_999_999)) }
}

const SENTENCES = [
  'Ledelsen vurderer, at udviklingen har været tilfredsstillende og i overensstemmelse med forventningerne.',
  'Der er ikke efter periodens udløb indtruffet forhold, som væsentligt påvirker vurderingen.',
  'Ejendommen er fuldt udlejet, og lejerne har betalt rettidigt.',
  'Der henvises i øvrigt til det udsendte materiale, som kan rekvireres hos administrator.',
  'Markedet har været præget af stigende renter og afdæmpet efterspørgsel.',
  'Vedligeholdelsesarbejderne på facaden blev afsluttet som planlagt og inden for den afsatte ramme.',
  'Produktionen lå en anelse under det normale på grund af svage vinde i sommermånederne.',
  'Selskabets likviditet er god, og der er ikke trukket på driftskreditten.',
  'Spørgsmål kan rettes til undertegnede på telefon eller e-mail inden for normal kontortid.',
  'De løbende omkostninger er faldet som følge af en ny aftale om pasning og tilsyn.',
]
const ENGLISH_SENTENCES = [
  'Management considers the development satisfactory and in line with expectations.',
  'No events have occurred after the end of the period that materially affect the assessment.',
  'The property is fully let, and the tenants have paid on time.',
  'Reference is made to the material that has been sent out and can be obtained from the administrator.',
  'The market has been marked by rising interest rates and moderate demand.',
  'Running costs have decreased as a result of a new agreement on maintenance and supervision.',
]

export function prose({ chance, isEnglish }: Pick<Writing, 'chance' | 'isEnglish'>, sentences = 3): string {
  return Array.from({ length: sentences }, () => chance.of(isEnglish ? ENGLISH_SENTENCES : SENTENCES)).join(
    ' ',
  )
}

const STREETS = ['Havnegade', 'Skovvej', 'Torvet', 'Nørregade', 'Strandvejen', 'Birkevej']
const TOWNS = [
  '2100 København Ø',
  '8000 Aarhus C',
  '6000 Kolding',
  '5000 Odense C',
  '9000 Aalborg',
  '3400 Hillerød',
]

export function addressOf({ chance }: Pick<Writing, 'chance'>): string[] {
  return [`${chance.of(STREETS)} ${1 + chance.number(190)}`, chance.of(TOWNS)]
}

/** Numbers that are none of ours, though they look so. */
export function lookAlike({ chance, of, isEnglish }: Pick<Writing, 'chance' | 'of' | 'isEnglish'>): string {
  const digits = (count: number) => Array.from({ length: count }, () => chance.number(10)).join('')
  const two = (from: number, most: number) => String(from + chance.number(most)).padStart(2, '0')
  const date = `${two(1, 28)}${two(1, 12)}${two(20, 7)}`
  if (isEnglish)
    return of([
      `Order no. ${digits(8)}`,
      `Our ref. ${date}-${digits(4)}`,
      `IBAN DK${digits(2)} ${digits(4)} ${digits(4)} ${digits(4)} ${digits(2)}`,
    ])
  return of([
    `Ordrenr. ${digits(8)}`,
    `Fakturanr. ${date}-${digits(4)}`,
    `Sagsnr. ${date}-${digits(4)}`,
    `Periode ${date}-${date}`,
    `Reg.nr. ${digits(4)} kontonr. ${date}${digits(4)}`,
    `EAN-nr. 57900${digits(8)}`,
    `Tlf. ${digits(2)} ${digits(2)} ${digits(2)} ${digits(2)}`,
    `Betalings-ID +71< ${date}${digits(9)}+${digits(8)}<`,
    `Matr.nr. ${1 + chance.number(90)}a, journalnr. ${date}-${digits(4)}`,
    `Løbenr. ${date}${digits(4)}`,
    `Målernr. ${date}${digits(4)}`,
  ])
}
