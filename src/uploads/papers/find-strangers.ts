import { addressLines, isAddress } from './address.ts'
import type { Directory } from './directory.ts'
import type { FoundName } from './find-names.ts'
import { findPersonNumbers } from './find-numbers.ts'
import { fold, wordsOf } from '../../base/folded-words.ts'
import type { PaperLine } from './paper-lines.ts'
import { isCompany, isOffice, isTitle, nameParts } from '../../base/person-name.ts'

/** An addressee whom the office does not know. */
export type Stranger = {
  /** 'Investornr. 9901', 'Investor: Kurt Bang', 'Kære Kurt Bang', or the name above an address. */
  by: 'number' | 'label' | 'greeting' | 'address'
  said: string
  page: number
  /** The name as compared; empty if it is a number. */
  parts: string[]
}

/** At most this many are stored: one is enough to ask. */
const MOST = 20

/**
 * Finds whom a paper is written to and whom we do not know. Rather nobody than a sender, a signer or a contact person: those
 * stand elsewhere, or have an office before their name.
 */
export function findStrangers(
  lines: readonly PaperLine[],
  names: readonly FoundName[],
  { personNumbers }: Pick<Directory, 'personNumbers'>,
): Stranger[] {
  const known = new Set(names.map(({ page, at }) => `${page} ${at}`))
  const isKnown = ({ page, at }: PaperLine) => known.has(`${page} ${at}`)
  const numbers = findPersonNumbers(lines).filter(
    ({ number, isExplicit }) => isExplicit && !personNumbers.has(fold(number)),
  )
  const first = lines[0]?.page
  const labelled = lines.flatMap((line, index) => (isKnown(line) ? [] : labelledIn(lines, index, isKnown)))
  const heads = addressLines(lines).filter(({ page }) => page === first)
  const written = heads.flatMap((line, index) => (isKnown(line) ? [] : writtenTo(heads, index)))
  return [
    ...numbers.map(({ said, page }): Stranger => ({ by: 'number', said, page, parts: [] })),
    ...labelled,
    ...written,
  ]
    .filter((each, at, all) => all.findIndex(({ said }) => said === each.said) === at)
    .slice(0, MOST)
}

const LABEL =
  /(?<![\p{L}-])(?:investor|kommanditist|deltager|anpartshaver|limited partner|ejer|modtager|recipient)(?:ens?|s)?(?: navn| name)?(?: ?[:–-] ?| (?=\p{Lu})|$)/giu

/** 'Investor: Kurt Bang'; the name may be on the next line. */
function labelledIn(
  lines: readonly PaperLine[],
  index: number,
  isKnown: (line: PaperLine) => boolean,
): Stranger[] {
  const { text, page } = lines[index]!
  return Array.from(text.matchAll(LABEL)).flatMap((match) => {
    // In a sentence the word does not introduce a name.
    const isLed = match.index === 0 || /[:–-] ?$/.test(match[0])
    const rest = text.slice(match.index + match[0].length)
    const next = lines[index + 1]
    const isAbove = rest === '' && match.index === 0 && next?.page === page && !isKnown(next)
    const takesCompany = !/^ejer/i.test(match[0])
    const said = isLed || isAbove ? nameAtStart(isAbove ? next.text : rest, { takesCompany }) : null
    return said ? [{ by: 'label' as const, ...said, page }] : []
  })
}

const GREETED = /^(?:til|to|kære|dear)[ :]+/i

/** 'Til Kurt Bang', 'Kære hr. Bang', or a name above an address. */
function writtenTo(lines: readonly PaperLine[], index: number): Stranger[] {
  const { text, page } = lines[index]!
  const greeting = GREETED.exec(text)
  // A company above an address is most often the sender.
  const takesCompany = greeting !== null && /^(?:kære|dear)/i.test(text)
  const said = nameAtStart(text.slice(greeting?.[0].length ?? 0), { takesCompany })
  if (!said) return []
  if (greeting) return [{ by: 'greeting', ...said, page }]
  if (said.parts.length < 2 || wordsOf(text).some(({ folded }) => isOffice(folded))) return []
  return isAddress(lines, index) && !isStreet(text) ? [{ by: 'address', ...said, page }] : []
}

const NAME_WORD = String.raw`\p{Lu}[\p{L}'’-]*\.?`
const NAME = new RegExp(
  String.raw`^((?:${NAME_WORD}|dr\.|hr\.|fru|frk\.|cand\. ?\p{L}+\.?|med\.)(?: (?:[AI]\/S|${NAME_WORD}|af|von|van|der|de|med\.|jur\.))*)(.*)$`,
  'u',
)
/** Characters that may follow a name. */
const AFTER_NAME = /^$|^[,.:!]?$|^ ?[,(–-]/

/** Reads a name at the start of a text, where only titles and names may stand. */
function nameAtStart(
  text: string,
  { takesCompany }: { takesCompany: boolean },
): Pick<Stranger, 'said' | 'parts'> | null {
  const match = NAME.exec(text.trim())
  if (!match) return null
  const [, name = '', after = ''] = match
  if (!AFTER_NAME.test(after)) return null
  const said = name.replace(/[.]$/, '').trim()
  const all = wordsOf(said).map(({ folded }) => folded)
  const parts = nameParts(said)
  const isTitled = all.length > parts.length && isTitle(all[0]!)
  const least = isTitled ? 1 : 2
  if (parts.length < least || parts.length > 5 || parts.some((part) => COMMON.test(part))) return null
  if (isCompany(parts) ? !takesCompany : parts.some((part) => OF_COMPANY.test(part))) return null
  if (parts.every((part) => part.length === 1)) return null
  return { said, parts }
}

const COMMON =
  /^(?:rette|vedkommende|investor\w*|kommanditist\w*|deltager\w*|ejer\w*|kunde\w*|medlem\w*|anpartshaver\w*|aktionaer\w*|limited|partners?|sirs?|madam|all|alle|k|ks|p|ps|kommanditselskab\w*|partnerselskab\w*|komplementar\w*|skat|skatte\w*|bilag|side|page|dato|date|nr|cvr|cpr|navn|name|adresse|address|telefon|tlf|mail|email|web|konto\w*|saldo|andel\w*|antal|beloeb|resultat|egenkapital|januar|februar|marts|april|maj|juni|juli|august|september|oktober|november|december|mandag|tirsdag|onsdag|torsdag|fredag|dear|kaere|til|att|vedr|ref)$/
const OF_COMPANY =
  /(?:firma|revision|revisor|bank|administration|advokat|forening|ejendom|selskab|center|centret|kommune|styrelse|forsikring|finans|gruppe|group|partner|kontor|regnskab|forvaltning|service|drift|rapport|opgoerelse|oversigt|oplysning|udlodning|indskud|kapital|budget|forsamling|bestyrelse|skatte|dansk|nordisk|energi|vindmoelle|vindpark|logistik|management|consult|raadgiv|realkredit|pension|invest|holding|fond|kredit|trust|estate|property|capital|statement|notice|report|annual|account|distribution|summary)/

/** 'Skov Allé' looks like a name. */
const isStreet = (text: string) =>
  /(?:vej|gade|all[eé]|stræde|plads|torv|torvet|vænge|vænget|boulevard|parken|bakken|toften|svinget)(?:en|et)?[,.]?$/i.test(
    text,
  )
