import { wordsOf } from '../../base/folded-words.ts'

/** What is read in a receipt. */
export const RECEIPT_FIELDS = ['cvr', 'period', 'day', 'number'] as const
export type ReceiptField = (typeof RECEIPT_FIELDS)[number]

/** How a receipt of one kind looks: what stands in it, and the words before each field. */
export type Layout = {
  /** 'virk-annual-report'; 'own-7' for one that the office has taught. */
  code: string
  authority: string
  /** The codes of the duties that it may end. */
  codes: readonly string[]
  /** A duty of the office's own, or the one that it has taught the layout for. */
  obligation: number | null
  /** One of its first lines begins with one of these. */
  titles: readonly string[]
  /** All of these stand on the page. */
  words: readonly string[]
  labels: Record<ReceiptField, readonly string[]>
  /** Its fields stand in sentences, not behind labels at the beginning of a line. */
  isRunning: boolean
}

/** The words before fields that authorities use. */
const LABELS: Layout['labels'] = {
  cvr: [
    'CVR-nr',
    'CVR-nummer',
    'CVR nr',
    'CVR',
    'CVR/SE-nr',
    'SE-nr',
    'SE-nummer',
    'Virksomhedens CVR-nummer',
    'Selskabets CVR-nr',
    'Indberettet for CVR-nr',
  ],
  period: [
    'Regnskabsperiode',
    'Regnskabsår',
    'Indkomstår',
    'Periode',
    'Afregningsperiode',
    'Angivelsesperiode',
    'Indberetningsperiode',
    'Indberetningsår',
    'Kalenderår',
    'Vedrører perioden',
  ],
  day: [
    'Modtaget',
    'Modtaget dato',
    'Modtagelsesdato',
    'Modtagelsestidspunkt',
    'Indsendt',
    'Indberettet',
    'Indberetningsdato',
    'Dato for modtagelse',
    'Registreret',
    'Registreringsdato',
  ],
  number: [
    'Kvitteringsnr',
    'Kvitteringsnummer',
    'Kvittering nr',
    'Transaktionsnr',
    'Transaktionsnummer',
    'Referencenr',
    'Referencenummer',
    'Sagsnummer',
    'Sagsnr',
    'Indberetnings-id',
    'Angivelses-id',
  ],
}

const ENGLISH: Layout['labels'] = {
  cvr: ['CVR', 'CVR no', 'Company registration no', 'Reporting entity CVR', 'Reporting FI'],
  period: ['Reporting period', 'Reporting year', 'Calendar year'],
  day: ['Received', 'Date received', 'Timestamp', 'Message received'],
  number: ['Receipt no', 'Receipt number', 'Reference', 'Message reference', 'MessageRefId'],
}

const layout = (
  code: string,
  authority: string,
  codes: readonly string[],
  titles: readonly string[],
  more: Partial<Layout> = {},
): Layout => ({
  code,
  authority,
  codes,
  obligation: null,
  titles,
  words: [authority],
  labels: LABELS,
  isRunning: false,
  ...more,
})

/** The ways in which an authority begins a receipt, about one of several things. */
const receiptsFor = (...things: string[]) =>
  things.flatMap((thing) => [
    `Kvittering for ${thing}`,
    `Kvittering for indberetning af ${thing}`,
    `Kvittering for indsendelse af ${thing}`,
    `Kvittering for modtagelse af ${thing}`,
    `Kvittering for registrering af ${thing}`,
    `Kvittering ${thing}`,
    `Bekræftelse på indberetning af ${thing}`,
    `Bekræftelse på modtagelse af ${thing}`,
    `Bekræftelse på registrering af ${thing}`,
  ])

const [VIRK, TAX, FINANCE] = ['Erhvervsstyrelsen', 'Skattestyrelsen', 'Finanstilsynet']

/**
 * The layouts that come with Ringbind. We made them up after what authorities write: no real receipt has been seen. The
 * first that fits is taken, so the narrower ones come first. None is of the general partner, whose CVR number no project has.
 */
export const SHIPPED_LAYOUTS: readonly Layout[] = [
  layout(
    'virk-annual-report',
    VIRK,
    ['annual-report'],
    receiptsFor('årsrapport', 'årsrapporten', 'årsregnskab', 'undtagelseserklæring'),
  ),
  layout('virk-letter', VIRK, ['annual-report'], ['Vi har modtaget selskabets årsrapport'], {
    isRunning: true,
    labels: {
      cvr: ['CVR-nr', 'CVR-nummer'],
      period: ['regnskabsåret', 'perioden'],
      day: ['modtaget den'],
      number: ['Sagsnummer', 'Kvitteringsnummer'],
    },
  }),
  layout('virk-legal-owners', VIRK, ['legal-owners'], receiptsFor('legale ejere', 'ejerforhold')),
  layout('virk-beneficial-owners', VIRK, ['beneficial-owners'], receiptsFor('reelle ejere')),
  layout(
    'skat-tax-statement',
    TAX,
    ['tax-statement'],
    receiptsFor('skatteoplysninger', 'fælles skatteregnskab', 'skatteregnskab', 'oplysninger efter § 42'),
  ),
  layout(
    'skat-vat',
    TAX,
    ['vat-quarter', 'vat-half'],
    receiptsFor('moms', 'momsangivelse', 'angivelse af moms', 'moms (momsangivelse)'),
  ),
  layout('skat-crs-fatca', TAX, ['crs-fatca'], receiptsFor('CRS og FATCA', 'CRS/FATCA', 'CRS- og FATCA')),
  layout('skat-crs', TAX, ['crs-2026', 'crs-fatca'], receiptsFor('CRS', 'CRS-indberetning')),
  layout('skat-fatca', TAX, ['fatca', 'crs-fatca'], receiptsFor('FATCA', 'FATCA-indberetning')),
  layout(
    'skat-crs-english',
    TAX,
    ['crs-2026', 'crs-fatca'],
    ['Receipt CRS', 'CRS receipt', 'Receipt for CRS'],
    {
      words: ['Danish Tax Agency'],
      labels: ENGLISH,
    },
  ),
  layout(
    'skat-fatca-english',
    TAX,
    ['fatca', 'crs-fatca'],
    ['Receipt FATCA', 'FATCA receipt', 'Receipt for FATCA'],
    {
      words: ['Danish Tax Agency'],
      labels: ENGLISH,
    },
  ),
  layout(
    'ft-annex-iv',
    FINANCE,
    ['aifm-report'],
    receiptsFor('bilag IV', 'bilag IV-indberetning', 'AIFMD', 'indberetning fra forvalter'),
  ),
]

/** A text as it is compared: its words. */
export const phraseOf = (text: string): string[] => wordsOf(text).map(({ folded }) => folded)
