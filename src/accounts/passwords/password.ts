const LEAST = 10
const MOST = 200
/** The demo's public password. Accepted in the demo only. */
const DEMO_PASSWORD = 'ringbind-demo'

/** Words that a guesser would try here, besides the person's own. */
const PRODUCT = ['ringbind', 'demo']

// Danish words missing from international lists.
const DANISH = new Set(
  `adgangskode adgang kodeord kode kodeordet password passord mitkodeord hemmelig hemmeligt hemmelighed velkommen velkomst
  sommer vinter forår foraar efterår efteraar januar februar marts april juni juli august september oktober november december
  mandag tirsdag onsdag torsdag fredag lørdag loerdag lordag søndag soendag sondag jul juleaften julemand påske paaske ferie
  sommerferie danmark dannebrog denmark københavn koebenhavn kobenhavn aarhus århus odense aalborg ålborg esbjerg randers
  kolding horsens vejle roskilde helsingør silkeborg næstved fredericia viborg svendborg hillerød fodbold håndbold haandbold
  brøndby brondby broendby fckøbenhavn liverpool elsker jegelskerdig jegelsker kærlighed kaerlighed skat skatter prinsesse
  solskin blomst hund hunden kattepus hest heste hjemme kontor kontoret computer internet firma firmaet administrator
  admin administration bruger brugeren medarbejder revisor revision investor investering invest kommanditselskab selskab
  ejendom vindmølle projekt projekter gæst gaest test tester nyadgangskode nykode skiftmig skift changeme letmein
  welcome hello goddag farvel hejmeddig hejhej`
    .split(/\s+/)
    .filter(Boolean),
)

type Owner = { email: string; name: string }
type Known = { common: Words; isDemo?: boolean }
/** The words that most passwords are made of. */
type Words = { has: (word: string) => boolean }

/** A password as it is compared with others: capitals and the ways to write a letter do not count. */
export function plainPassword(password: string): string {
  return password.normalize('NFKC').toLowerCase()
}

/** Returns one sentence about what is wrong with a new password, or null if it is good enough. */
export function passwordFault(password: string, owner: Owner, known: Known): string | null {
  const length = Array.from(password).length
  if (length < LEAST) return `Adgangskoden skal være på mindst ${LEAST} tegn.`
  if (length > MOST) return `Adgangskoden må højst være på ${MOST} tegn.`
  if (known.isDemo && password === DEMO_PASSWORD) return null
  const plain = plainPassword(password)
  if (isMadeOf(plain, ownWords(owner)) || isOwnEmail(plain, owner))
    return 'Adgangskoden må ikke være dit navn eller din e-mail, heller ikke med tal eller tegn.'
  if (isMadeOf(plain, [...ownWords(owner), ...PRODUCT]))
    return 'Adgangskoden må ikke være Ringbinds navn, heller ikke med tal eller tegn.'
  if (isCommon(plain, known.common)) return 'Adgangskoden er for almindelig. Vælg en anden.'
  if (countSurprises(plain) < LEAST_SURPRISES)
    return 'Adgangskoden er for let at gætte: den gentager de samme tegn eller følger en række.'
  return null
}

/** Up to this many digits and signs around a word add little strength; nor do the eight digits of a date. */
const MOST_AROUND = 6
const DATE = /^(19|20)\d\d(0\d|1[0-2])[0-3]\d$|^[0-3]\d(0\d|1[0-2])(19|20)\d\d$/

const isLittle = (around: string) =>
  /^[ -~]*$/.test(around) && (around.length <= MOST_AROUND || DATE.test(around))

/** Finds 'P@ssw0rd2026' and 'Sommer!2026' as well as 'password' itself. */
function isCommon(plain: string, common: Words): boolean {
  const is = (word: string) => common.has(word) || DANISH.has(word)
  const [, before = '', start = '', after = ''] = /^([^\p{L}]*)(.*?)([^\p{L}]*)$/su.exec(plain) ?? []
  const readings = [
    [start, before + after],
    [before + start, after],
  ] as const
  return (
    is(plain) || readings.some(([word, around]) => isLittle(around) && (is(word) || is(withoutLeet(word))))
  )
}

const LEET: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}
const withoutLeet = (word: string) => Array.from(word, (letter) => LEET[letter] ?? letter).join('')

/**
 * Whether all the letters form these words one after another, with few other characters around and between them.
 */
function isMadeOf(plain: string, words: string[]): boolean {
  const letters = plain.replace(/[^\p{L}]/gu, '')
  const others = plain.replace(/\p{L}/gu, '')
  const known = new Set(words.flatMap((word) => [word, spelledOut(word)]))
  if (letters === '' || !isLittle(withoutSigns(others))) return false
  const reached = [0]
  for (let at = 1; at <= letters.length; at++)
    if (reached.some((from) => known.has(letters.slice(from, at)))) reached.push(at)
  return reached.includes(letters.length)
}

/** Whether it is the e-mail or what stands before its @, digits and all, with little around it. */
function isOwnEmail(plain: string, { email }: Owner): boolean {
  const whole = plainPassword(email)
  return [whole, whole.split('@')[0]!].some((own) => {
    const around = plain.replace(own, '')
    return own !== '' && around !== plain && !/\p{L}/u.test(around) && isLittle(withoutSigns(around))
  })
}

const withoutSigns = (text: string) => text.replace(/[ -/:-@[-`{-~]/g, '')

const SPELLED: Record<string, string> = { æ: 'ae', ø: 'oe', å: 'aa' }
const spelledOut = (word: string) => word.replace(/[æøå]/g, (letter) => SPELLED[letter]!)

/** 'Anne Marie Holm' with 'amh@firma.dk' has the words anne, marie, holm, amh, firma, dk. */
function ownWords({ email, name }: Owner): string[] {
  return `${name} ${email}`
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
}

const LEAST_SURPRISES = 6
const ROWS = ['abcdefghijklmnopqrstuvwxyzæøå', '01234567890', 'qwertyuiopå', 'asdfghjklæø', 'zxcvbnm']

/**
 * Counts the characters that cannot be guessed from the ones before: 'abcdabcd' has 4; in a good password all
 * count.
 */
function countSurprises(plain: string): number {
  const letters = Array.from(plain)
  const seen = new Set<string>()
  let surprises = 0
  for (let at = 0; at < letters.length; at++) {
    const last = letters.slice(Math.max(0, at - 2), at + 1).join('\n')
    const isRepeated = at > 2 && seen.has(last)
    seen.add(last)
    if (!isRepeated && !goesOn(letters, at, 1) && !goesOn(letters, at, 2)) surprises++
  }
  return surprises
}

/**
 * Whether a letter continues a run of neighbours, either with the letter before it or with every second one
 * ('1q2w3e').
 */
function goesOn(letters: string[], at: number, apart: 1 | 2): boolean {
  const step = (to: number) => (to < apart ? null : stepBetween(letters[to - apart]!, letters[to]!))
  return step(at) !== null && step(at) === step(at - 1)
}

function stepBetween(from: string, to: string): number | null {
  if (from === to) return 0
  if (ROWS.some((row) => row.includes(from + to))) return 1
  return ROWS.some((row) => row.includes(to + from)) ? -1 : null
}
