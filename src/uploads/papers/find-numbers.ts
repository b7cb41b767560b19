import { isCvr } from '../../base/cvr.ts'
import type { PaperLine } from './paper-lines.ts'

/** A number found in a paper, as compared. */
type FoundNumber = { number: string; said: string; page: number; at: number }
/** Whether the word before it names it as one. */
type FoundCvr = FoundNumber & { isCalledSo: boolean }

const CVR = /(?<![\d.,/-])(?:DK[- ]?)?(\d{2} ?\d{2} ?\d{2} ?\d{2})(?![\d]|[.,-]\d)/gi
const CALLED_CVR =
  /(?:\bcvr|\bse\b|\bvat\b|registration|\breg\. ?no|\bse\/cvr|company reg|momsnr|moms-?reg)[^\d]{0,22}$/i
/** Words before numbers of another kind. */
const CALLED_OTHERWISE =
  /(?:ordre|order|faktura|invoice|kunde|konto|account|tlf|telefon|phone|mobil|fax|police|sags?|journal|ref|løbe|loebe|maaler|måler|betalings-?id|ean|iban|reg\.? ?nr|lån|laan|bilag|matr|kvittering|serie|aftale|dokument|p-)[\p{L}.\-/ ]{0,14}[:#+<]?[^\p{L}\d]{0,4}$/iu

/** Finds what may be CVR numbers: eight digits whose check digit is right, in any grouping. */
export function findCvrs(lines: readonly PaperLine[]): FoundCvr[] {
  const found: FoundCvr[] = []
  for (const { text, page, at } of lines)
    for (const match of text.matchAll(CVR)) {
      const number = match[1]!.replaceAll(' ', '')
      if (!isCvr(number)) continue
      const before = text.slice(Math.max(0, match.index - 40), match.index)
      const isCalledSo = CALLED_CVR.test(before) || /^DK/i.test(match[0])
      if (!isCalledSo && CALLED_OTHERWISE.test(before)) continue
      found.push({ number, said: match[1]!, page, at, isCalledSo })
    }
  return found
}

const OF_PROJECT =
  /(?:\bprojekt|\bproject|\bk\/s|\bsag\/projekt|\bejendom|\bselskab)[\p{L}/]{0,12}[ .-]*(?:nr|no|nummer|number)?[ .:#-]*([\p{L}\p{N}][\p{L}\p{N}-]{0,19})/giu
const OF_PERSON =
  /(?:\b(?:investor|kommanditist|deltager|medlem|anpartshaver|limited partner)\p{L}{0,10}|\b(?:ejer|medejer|owner|inv)s?)[ .-]*(?:nr|no|nummer|number|id)[ .:#]*([\p{L}\p{N}][\p{L}\p{N}-]{0,19})|\binvestor(?:nr|nummer|id)?[ .:#]+([\p{L}\p{N}][\p{L}\p{N}-]{0,19})/giu

/** Finds numbers that the words before them call a project's. Whether there is such a project is for others to say. */
export const findProjectNumbers = (lines: readonly PaperLine[]) => findCalled(lines, OF_PROJECT)

/** Finds numbers that the words before them call an investor's. `isExplicit` is false for 'Investor 2025' and 'nr. 12 af 40'. */
export const findPersonNumbers = (lines: readonly PaperLine[]) => findCalled(lines, OF_PERSON)

type CalledNumber = FoundNumber & { isExplicit: boolean }

function findCalled(lines: readonly PaperLine[], pattern: RegExp): CalledNumber[] {
  return lines.flatMap(({ text, page, at }) =>
    Array.from(text.matchAll(pattern), (match): CalledNumber => {
      const number = (match[1] ?? match[2])!
      const isYear = match[2] !== undefined && /^(?:19|20)\d\d$/.test(number)
      const isOrdinal = /^ ?(?:af|of|\/) ?\d/.test(text.slice(match.index + match[0].length))
      return { number, said: number, page, at, isExplicit: number.length > 2 && !isYear && !isOrdinal }
    }).filter(({ number }) => /\d{2}|^\p{L}-?\d/u.test(number)),
  )
}

// A date and four more digits, with a hyphen or nothing between, and no longer number around.
const CPR =
  /(?<![\d.,/+<-]|\d )(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])(\d\d)( ?[-–] ?| ?)(\d{4})(?![\d]|[.,/-]\d|[+<])/g
const CALLED_CPR = /(?:\bcpr|personn|person no|social sec|født|foedt|\bborn\b|fødselsd)[^\d]{0,24}$/i

/** Words before a person without a number of the office: 'Ejer: Anne Holm 010203 1234'. */
const CALLED_SOMEBODYS =
  /(?<!\p{L})(?:ejer|medejer|owner|kommanditist|investor|deltager|anpartshaver|indehaver|ægtefælle|underskriver)(?:ens?|s)?(?![\p{L}-]|[ .]*(?:nr|no|nummer|number|id)(?!\p{L}))[^\d]{0,30}$/iu

/**
 * Returns the first page with what looks like a CPR number, or null. Modulus 11 dismisses none: numbers that do not fulfil
 * it are in use. A number is dismissed if the words before it call it something else, and digits with a space between need
 * words that call them so: tables have many of those.
 */
export function findCprPage(pages: readonly string[]): number | null {
  const index = pages.findIndex((page) => page.split('\n').some(hasCpr))
  return index < 0 ? null : index + 1
}

function hasCpr(line: string): boolean {
  if (!/\d{4}/.test(line)) return false
  for (const match of line.matchAll(CPR)) {
    const [, day, month, year, separator, last] = match
    if (Number(day) > LAST_DAYS[Number(month) - 1]!) continue
    const before = line.slice(Math.max(0, match.index - 40), match.index)
    if (CALLED_CPR.test(before) || CALLED_SOMEBODYS.test(before)) return true
    if (separator === ' ' || CALLED_OTHERWISE.test(before)) continue
    // 311225-2025 is a day and its year.
    if (last === `20${year}` || last === `19${year}`) continue
    return true
  }
  return false
}

const LAST_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
