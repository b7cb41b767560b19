import { DUE_FIELDS, HELD_FIELDS, NEW_OBLIGATION, type ObligationFields } from './obligation.ts'

/** What Ringbind says of an obligation. Whom it is for at the office, and since when it is watched, is the office's. */
export type ShippedFields = Omit<
  ObligationFields,
  'watched_from' | 'responsible_id' | 'remind_days' | 'is_active' | 'unless_id'
>

export type Shipped = Partial<ShippedFields> &
  Pick<ShippedFields, 'title' | 'explanation' | 'source' | 'source_url' | 'due_rule'> & {
    code: string
    /** The code of the obligation whose projects it leaves alone. */
    unless?: string
    /** The code of the obligation that it takes over from: an older law's. */
    follows?: string
  }

/** Fields that are one value: if the office has changed one of them, all are the office's. */
const TOGETHER: (keyof ShippedFields)[][] = [
  [...DUE_FIELDS],
  [...HELD_FIELDS],
  ['reach', 'more_than'],
  ...(['title', 'explanation', 'source', 'source_url', 'statuses', 'folder_name', 'is_filing'] as const).map(
    (field) => [field],
  ),
]

const SHIPPED_FIELDS = TOGETHER.flat()

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Returns all fields of a shipped obligation. */
export function shippedOf(rule: Shipped): ShippedFields {
  const { watched_from: _w, responsible_id: _r, remind_days: _d, is_active: _a, ...all } = NEW_OBLIGATION
  const { unless_id: _u, ...fields } = all
  const { code: _c, unless: _un, follows: _f, ...own } = rule
  return { ...fields, ...own }
}

export const isShippedSame = (one: Partial<ShippedFields> | null, other: ShippedFields): boolean =>
  one !== null && SHIPPED_FIELDS.every((field) => isSame(one[field], other[field]))

/**
 * Returns the fields that get new values: those that are still what Ringbind said of them last. What the office has
 * changed stays.
 */
export function shippedNow(
  was: Partial<ShippedFields> | null,
  now: ShippedFields,
  next: ShippedFields,
): Partial<ShippedFields> {
  const fields = TOGETHER.filter((group) =>
    group.every((field) => was && isSame(was[field], now[field])),
  ).flat()
  return Object.fromEntries(fields.map((field) => [field, next[field]]))
}

/**
 * The obligations that come with Ringbind, each with a row in `docs/law.md`. When a law changes, the old one gets a last
 * day, and the new one its own code. Their words are Danish, since the office reads them.
 */
export const SHIPPED: Shipped[] = [
  {
    code: 'annual-report',
    title: 'Årsrapport indsendt',
    explanation:
      'Årsrapporten skal være modtaget i Erhvervsstyrelsen senest 6 måneder efter regnskabsårets afslutning, hvis kommanditselskabets komplementarer er kapitalselskaber. Er selskabet undtaget, indsendes en undtagelseserklæring inden for samme frist.',
    source: 'Årsregnskabsloven § 138, stk. 1 (undtagelseserklæring: §§ 145-146)',
    source_url: 'https://danskelove.dk/%C3%A5rsregnskabsloven/138-148',
    // Earlier years had 5 months.
    holds_since: '2021-12-31',
    due_rule: 'months',
    due_months: 6,
    is_filing: true,
  },
  {
    code: 'bookkeeping-system',
    title: 'Bogføringssystem oplyst',
    explanation:
      'Skal selskabet bogføre digitalt, oplyses systemet, når årsrapporten indberettes: udbyderens navn og CVR-nummer og systemets registreringsnummer, eller hvilket andet system der bruges, og hvem der opbevarer sikkerhedskopien. Begyndelsen er ikke slået op i loven: Ringbind regner med regnskabsår, der begynder i 2025.',
    source: 'Bogføringsloven og indsendelsesbekendtgørelsen (paragraffen er ikke slået op)',
    source_url: 'https://erhvervsstyrelsen.dk/ikke-registrerede-digitale-bogfoeringssystemer',
    holds_since: '2025-12-31',
    due_rule: 'months',
    due_months: 6,
    is_filing: true,
  },
  {
    code: 'beneficial-owners',
    title: 'Reelle ejere undersøgt',
    explanation:
      'Mindst én gang om året skal det undersøges, om oplysningerne om reelle ejere stadig passer, og resultatet fremlægges på det møde, hvor årsrapporten godkendes. Fristen her er sat en måned før generalforsamlingens, så det er på plads i tide.',
    source: 'Erhvervsvirksomhedsloven (paragraffen er ikke slået op)',
    source_url: 'https://elov.dk/erhvervsvirksomhedsloven',
    holds_since: '2020-01-10',
    due_rule: 'months',
    due_months: 4,
  },
  {
    code: 'legal-owners',
    title: 'Legale ejere registreret',
    explanation:
      'Når nogen får eller mister 5 % eller mere af kapitalen eller stemmerne, eller en andel krydser 10, 15, 20, 25, 50, 90 eller 100 % eller 1/3 eller 2/3, registreres det på Virk. Meld ændringen under Frister, så kommer fristen. De 14 dage er ikke slået op i loven.',
    source:
      'Bekendtgørelse om registrering og offentliggørelse af oplysninger om ejere (dagen er ikke slået op)',
    source_url: 'https://erhvervsstyrelsen.dk/legale-ejere',
    due_rule: 'event',
    after_days: 14,
    is_filing: true,
  },
  {
    code: 'general-meeting',
    title: 'Generalforsamling',
    explanation:
      'Den ordinære generalforsamling holdes efter vedtægterne, og i så god tid, at den godkendte årsrapport kan nå frem til Erhvervsstyrelsen. Fristen her er sat en måned før årsrapportens. Ret den, hvis vedtægterne siger noget andet.',
    source: 'Selskabets vedtægter',
    source_url: '',
    due_rule: 'months',
    due_months: 5,
    folder_name: 'Generalforsamling',
  },
  {
    code: 'tax-statement',
    title: 'Skatteoplysninger til ejere og Skattestyrelsen',
    explanation:
      'Har virksomheden flere end ti ejere, laves et fælles skatteregnskab for de ejere, der ikke deltager væsentligt i driften. Det indberettes til Skattestyrelsen senest 15. april året efter, og ejerne underrettes inden for samme frist. Afgør selv, hvilke projekter det gælder: Loven tæller skattepligtige personer og ser igennem et kommanditselskab, der ejer. Den medregner ikke ejere af vindmøller og andre VE-anlæg efter § 8 P, stk. 2 og 3, og den kræver fast driftssted i Danmark.',
    source: 'Skatteindberetningsloven § 42, jf. ligningsloven § 29',
    source_url: 'https://elov.dk/skatteindberetningsloven/paragraf/42',
    holds_since: '2019-01-01',
    due_rule: 'day',
    due_day: 15,
    due_month: 4,
    reach: 'chosen',
    more_than: 10,
    is_filing: true,
  },
  {
    code: 'tax-to-owners',
    title: 'Skatteopgørelse til kommanditisterne',
    explanation:
      'Kontorets praksis, ikke et lovkrav: Har selskabet ti ejere eller færre, oplyser kommanditisterne selv deres andel senest 1. juli. De skal have deres skatteopgørelse i god tid før.',
    source: 'Kontorets praksis (kommanditisternes egen frist: skattekontrolloven § 11)',
    source_url: 'https://danskelove.dk/skattekontrolloven/10-13',
    due_rule: 'day',
    due_day: 15,
    due_month: 5,
    folder_name: 'Skatteoplysninger',
    unless: 'tax-statement',
  },
  {
    code: 'crs-fatca',
    title: 'CRS- og FATCA-indberetning',
    explanation:
      'Er selskabet et indberettende finansielt institut, skal konti med tilknytning til udlandet indberettes til Skattestyrelsen senest 1. maj året efter. De færreste kommanditselskaber er det: vælg selv de projekter, det gælder. Dagen for FATCA er ikke slået op. Gælder indberetninger til og med 2025; fra 2026 er der en pligt for CRS og en for FATCA.',
    source: 'Skatteindberetningsloven § 22, og bekendtgørelse nr. 334 af 26. marts 2020, § 107',
    source_url:
      'https://elov.dk/bekendtgorelse-om-identifikation-og-indberetning-af-finansielle-konti-med-tilknytning-til-udlandet/paragraf/107',
    holds_since: '2019-01-01',
    holds_until: '2025-12-31',
    due_rule: 'day',
    due_day: 1,
    due_month: 5,
    reach: 'chosen',
    is_filing: true,
  },
  {
    code: 'crs-2026',
    title: 'CRS-indberetning',
    explanation:
      'Er selskabet et indberettende finansielt institut, skal konti med tilknytning til udlandet indberettes til Skattestyrelsen. De færreste kommanditselskaber er det: vælg selv de projekter, det gælder. Dagen er ikke slået op i den nye bekendtgørelse: Ringbind minder om 1. maj, som den tidligere sagde.',
    source: 'Skatteindberetningsloven § 22, og bekendtgørelse nr. 1160 af 9. september 2025',
    source_url:
      'https://www.elov.dk/bekendtgoerelse-om-identifikation-og-indberetning-af-finansielle-konti-med-tilknytning-til-udlandet/paragraf/123',
    holds_since: '2026-01-01',
    due_rule: 'day',
    due_day: 1,
    due_month: 5,
    reach: 'chosen',
    is_filing: true,
    follows: 'crs-fatca',
  },
  {
    code: 'fatca',
    title: 'FATCA-indberetning',
    explanation:
      'Er selskabet et indberetningspligtigt finansielt institut, skal konti med tilknytning til USA indberettes til Skattestyrelsen hvert år. Vælg selv de projekter, det gælder. Dagen er ikke slået op i bekendtgørelsen: Ringbind minder om 1. maj, som for CRS.',
    source:
      'Skatteindberetningsloven § 22, og bekendtgørelse nr. 769 af 25. juni 2014, nu nr. 724 af 22. april 2021, § 67',
    source_url:
      'https://elov.dk/bekendtgorelse-om-identifikation-og-indberetning-af-finansielle-konti-med-tilknytning-til-usa/paragraf/67/',
    holds_since: '2026-01-01',
    due_rule: 'day',
    due_day: 1,
    due_month: 5,
    reach: 'chosen',
    is_filing: true,
    follows: 'crs-fatca',
  },
  {
    code: 'vat-quarter',
    title: 'Moms, kvartal',
    explanation:
      'Momsen angives for hvert kalenderkvartal, også hvor regnskabsåret er et andet, senest den 1. i den tredje måned efter. Vælg de projekter, der er registreret med kvartalsmoms.',
    source: 'Momsloven § 57, stk. 3',
    source_url: 'https://elov.dk/momsloven/paragraf/57/',
    rhythm: 'quarter',
    due_rule: 'days',
    due_days: ['03-01', '06-01', '09-01', '12-01'],
    reach: 'chosen',
    is_filing: true,
  },
  {
    code: 'vat-half',
    title: 'Moms, halvår',
    explanation:
      'Momsen angives for hver halvdel af kalenderåret, også hvor regnskabsåret er et andet, senest den 1. i den tredje måned efter. Vælg de projekter, der er registreret med halvårsmoms.',
    source: 'Momsloven § 57, stk. 4',
    source_url: 'https://elov.dk/momsloven/paragraf/57/',
    rhythm: 'half',
    due_rule: 'days',
    due_days: ['03-01', '09-01'],
    reach: 'chosen',
    is_filing: true,
  },
  {
    code: 'aifm-report',
    title: 'Indberetning som forvalter af alternative fonde',
    explanation:
      'En registreret forvalter af alternative investeringsfonde indberetter hvert år til Finanstilsynet om sig selv og sine fonde (bilag IV). Vælg de projekter, der er en sådan fond. Dagen er ikke slået op: Ringbind minder om 31. januar, en måned efter kalenderåret.',
    source: 'Finanstilsynet om bilag IV-indberetninger (paragraffen og dagen er ikke slået op)',
    source_url:
      'https://www.finanstilsynet.dk/ansoeg-og-indberet/indberetninger-efter-virksomhedsomraade/bilag-iv-indberetninger',
    due_rule: 'days',
    due_days: ['01-31'],
    reach: 'chosen',
    is_filing: true,
  },
  {
    code: 'partner-report',
    title: 'Komplementarselskabets årsrapport',
    explanation:
      'Komplementarselskabet indsender sin egen årsrapport senest 6 måneder efter sit regnskabsår. Ringbind regner med, at det har samme regnskabsår. Undtag de projekter, hvis komplementar I ikke administrerer, og dem, der deler komplementar med et andet.',
    source: 'Årsregnskabsloven § 138, stk. 1',
    source_url: 'https://danskelove.dk/%C3%A5rsregnskabsloven/138-148',
    holds_since: '2021-12-31',
    due_rule: 'months',
    due_months: 6,
    is_filing: true,
  },
  {
    code: 'partner-tax',
    title: 'Komplementarselskabets oplysningsskema',
    explanation:
      'Komplementarselskabet giver Skattestyrelsen sine oplysninger senest 6 måneder efter indkomståret, og senest 1. september, hvis året slutter fra 1. februar til 31. marts. Fristen her er sat en måned før, så begge nås. Undtag de projekter, hvis komplementar I ikke administrerer.',
    source: 'Skattekontrolloven § 12',
    source_url: 'https://danskelove.dk/skattekontrolloven/12',
    due_rule: 'months',
    due_months: 5,
    is_filing: true,
  },
  {
    code: 'company-end',
    title: 'Selskabets ophør: afmelding og afsluttende indberetninger',
    explanation:
      'Når selskabet er ophørt, afmeldes det på Virk, og den sidste årsrapport og de sidste indberetninger til Skattestyrelsen sendes. Meld ophøret under Frister, så kommer fristen. De 8 dage er momsens; dagen for de afsluttende indberetninger er ikke slået op.',
    source: 'Momsloven § 47, stk. 5 (dagen for de øvrige er ikke slået op)',
    source_url: 'https://info.skat.dk/data.aspx?chk=205107&oid=96183',
    due_rule: 'event',
    after_days: 8,
    statuses: ['active', 'closing', 'sold'],
    is_filing: true,
  },
]
