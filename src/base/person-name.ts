import { wordsOf } from './folded-words.ts'

const words = (text: string) => new Set(text.split(/\s+/))

/** Titles that do not explain why somebody is in a paper, as compared: 'Fru', 'Dr. med.', 'cand.jur.' */
const TITLES =
  words(`fru hr hrr herr frk froeken fr mr mrs ms miss sir dr doktor prof professor lektor docent cand stud lic
  mag ph phd jur polit merc oecon med vet odont pharm scient techn phil theol mba msc bsc ma ba hd ing ingenioer
  civilingenioer civiling akademiingenioer arkitekt overlaege laege speciallaege tandlaege dyrlaege pastor provst sognepraest
  konsul generalkonsul kammerherre hofjaegermester baron baronesse grev greve grevinde komtesse godsejer proprietaer
  gaardejer fabrikant grosserer koebmand skibsreder kaptajn oberst major enkefru`)

/** Titles that signers, senders and contact persons have as well. */
const OFFICES =
  words(`dir direktoer adm administrerende adv advokat landsretssagfoerer hoejesteretssagfoerer lrs hrs revisor
  statsaut statsautoriseret reg registreret formand bestyrelsesformand`)

/** Titles that may stand after a name. */
const AFTER = words(
  'cand stud lic mag ph phd d jur polit merc oecon med vet odont pharm scient techn phil mba msc bsc hd r',
)

export const isTitle = (folded: string) => TITLES.has(folded) || OFFICES.has(folded)
export const isOffice = (folded: string) => OFFICES.has(folded)
export const isTitleAfter = (folded: string) => AFTER.has(folded)

/** The titles that a name may begin with, for a query that cannot ask these functions. */
export const TITLES_BEFORE: readonly string[] = [...TITLES, ...OFFICES, 'd']

/**
 * Returns the parts of a person's name as compared, without titles: 'Dr. med. Anne Holm' and 'Holm, Anne' both become
 * ['anne', 'holm']. A company's name is unchanged.
 */
export function nameParts(name: string): string[] {
  const [before, after, ...more] = name.split(',').map(partsOf)
  if (!before || !after || before.length === 0 || after.length === 0 || more.length > 0)
    return trimTitles(partsOf(name))
  // 'Anne Holm, cand.jur.'
  if (after.every((part) => isTitle(part) || isTitleAfter(part))) return trimTitles(before)
  const [given, last] = [trimTitles(after), trimTitles(before)]
  const isTurned = last.length <= 2 && given.length <= 3 && !isCompany([...last, ...given])
  return isTurned ? [...given, ...last] : [...before, ...after]
}

const partsOf = (text: string) => wordsOf(text).map(({ folded }) => folded)

/** Leaves a part at least: somebody may be called Major. */
function trimTitles(parts: string[]): string[] {
  let [from, to] = [0, parts.length]
  while (to - from > 1 && (isTitle(parts[from]!) || (from > 0 && parts[from] === 'd'))) from++
  while (to - from > 2 && isTitleAfter(parts[to - 1]!)) to--
  return parts.slice(from, to)
}

/**
 * Splits the titles from a written name: 'Dr. med. Anne Holm, cand.jur.' is Anne Holm. Two words must be left, so 'Fru
 * Holm' is unchanged, and so are a company's name and a short first word without a dot that may be a name: 'Ma Li
 * Chen'.
 */
export function splitTitle(name: string): { name: string; title: string } {
  const tokens = name.split(/[\s,]+/).filter((token) => token !== '')
  const whole = { name, title: '' }
  if (isSeveral(name)) return whole
  // 'd' of 'ph.d.' alone is a letter of a name, and 'Anne Holm R.' has one too.
  const isAfter = (token: string | undefined) =>
    isMadeOf(token, isTitleAfter) && token!.replaceAll('.', '').length > 1
  let [from, to] = [0, tokens.length]
  while (isTitleBefore(tokens[from])) from++
  while (to > from && isAfter(tokens[to - 1])) to--
  if (to - from < 2 || to - from === tokens.length) return whole
  return {
    name: tokens.slice(from, to).join(' '),
    title: [...tokens.slice(0, from), ...tokens.slice(to)].join(' '),
  }
}

const isMadeOf = (token: string | undefined, is: (folded: string) => boolean) =>
  token !== undefined && partsOf(token).length > 0 && partsOf(token).every(is)

/** 'Ma' is a title and a name, 'ph.' only a title. */
const isTitleBefore = (token: string | undefined) =>
  isMadeOf(token, isTitle) && (token!.length > 2 || !/[aeiouyæøå]/i.test(token!))

/** A company, or two people in one name: 'Anne og Bo Holm'. */
const isSeveral = (name: string) => isCompany(partsOf(name)) || /&|\bog\b/i.test(name)

/**
 * Returns the name that a greeting says: 'Anne' for 'Dr. med. Anne Holm, cand.jur.' and for 'Holm, Anne'. Where no given
 * name is known, it is the whole name, as for 'Fru Holm', 'A. Holm' and a company.
 */
export function greetedName(name: string): string {
  if (isSeveral(name)) return name
  const plain = splitTitle(name).name
  const [before = '', after = '', ...more] = plain.split(/\s*,\s*/)
  const [given = ''] = (after !== '' && more.length === 0 ? after : before).trim().split(/\s+/)
  const isGiven = !isTitleBefore(given) && given.replaceAll('.', '').length > 1
  return isGiven ? given : plain
}

const COMPANY_FORMS = words(
  'aps as ivs is ks ps amba smba fmba holding invest ltd gmbh ab inc fond fonden legat forening foreningen selskabet pension',
)

/** Whether these are the parts of a company's name. 'A/S' is two words. */
export const isCompany = (parts: readonly string[]) =>
  parts.some((part, at) => COMPANY_FORMS.has(part) || (part === 's' && /^[aikp]$/.test(parts[at - 1] ?? '')))

/** Whether two names have the same parts, in whatever order. */
export const isSameName = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.toSorted().join(' ') === b.toSorted().join(' ')

/**
 * Whether two names may be one person's: the same parts in any order, or the same first and last, where one has fewer names
 * between or only their letters. 'Anne K. Holm' may be Anne Kirstine Holm; Anne Louise Holm is another.
 */
export function mayBeSame(a: readonly string[], b: readonly string[]): boolean {
  if (isSameName(a, b)) return true
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (short.length < 2 || isCompany(a) || isCompany(b)) return false
  if (!isAlike(short[0]!, long[0]!) || short.at(-1) !== long.at(-1)) return false
  const left = long.slice(1, -1)
  return short.slice(1, -1).every((middle) => {
    const at = left.findIndex((other) => isAlike(middle, other))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

const isAlike = (a: string, b: string) =>
  a === b || (a.length === 1 && b.startsWith(a)) || (b.length === 1 && a.startsWith(b))
