import { fold } from '../../base/folded-words.ts'

/** A kind of paper that offices of K/S companies have. */
export type PaperKind = {
  id: string
  /** How titles of such papers begin, as compared; the longest match counts. */
  titles: string[]
  /** Parts of the names of folders that hold them. Empty if they are a person's own. */
  folders: string[]
  /** The meaning of its year: that of its period, or that of the day it was written. */
  year: 'period' | 'day'
  /** Whether it can be a person's own, a project's, or either. */
  belongs: 'project' | 'person' | 'either'
}

const kind = (
  id: string,
  { titles, folders = [], year = 'day', belongs = 'project' }: Partial<PaperKind> & { titles: string[] },
): PaperKind => ({ id, titles: titles.map(fold), folders: folders.map(fold), year, belongs })

export const PAPER_KINDS: PaperKind[] = [
  kind('annual', {
    titles: [
      'årsrapport',
      'årsregnskab',
      'annual report',
      'annual accounts',
      'financial statements',
      'internt årsregnskab',
      'internt regnskab',
      'revisionsprotokollat',
    ],
    folders: ['årsrapport', 'årsregnskab', 'regnskab', 'annual'],
    year: 'period',
  }),
  kind('quarter', {
    titles: [
      'kvartalsrapport',
      'kvartalsregnskab',
      'kvartalsorientering',
      'perioderegnskab',
      'halvårsrapport',
      'halvårsregnskab',
      'delårsrapport',
      'periodeopgørelse',
      'orientering for',
      'rapport for 1. kvartal',
      'rapport for 2. kvartal',
      'rapport for 3. kvartal',
      'rapport for 4. kvartal',
      'rapport 1. kvartal',
      'rapport 2. kvartal',
      'rapport 3. kvartal',
      'rapport 4. kvartal',
      'investorrapport',
      'kvartalsbrev',
      'kvartalsnyt',
      'status for 1. kvartal',
      'status for 2. kvartal',
      'status for 3. kvartal',
      'status for 4. kvartal',
      'rapportering for',
      'quarterly report',
      'interim report',
      'half-year report',
      'quarterly update',
    ],
    folders: ['kvartal', 'perioderegnskab', 'halvår', 'delår', 'quarter'],
    year: 'period',
  }),
  kind('budget', {
    titles: [
      'budget',
      'driftsbudget',
      'likviditetsbudget',
      'drifts- og likviditetsbudget',
      'likviditetsprognose',
      'operating budget',
      'cash flow budget',
    ],
    folders: ['budget'],
    year: 'period',
  }),
  kind('general meeting', {
    titles: [
      'generalforsamling',
      'ordinær generalforsamling',
      'ekstraordinær generalforsamling',
      'generalforsamlingsreferat',
      'generalforsamlingsprotokollat',
      'annual general meeting',
      'extraordinary general meeting',
      'general meeting',
      'stemmeseddel',
      'fuldmagt til generalforsamling',
      'der indkaldes til ordinær generalforsamling',
    ],
    folders: ['generalforsamling', 'general meeting'],
  }),
  kind('board', {
    titles: [
      'bestyrelsesmøde',
      'bestyrelsesreferat',
      'bestyrelsesprotokol',
      'bestyrelsesmateriale',
      'board meeting',
    ],
    folders: ['bestyrelse', 'board'],
  }),
  kind('lease', {
    titles: [
      'lejekontrakt',
      'erhvervslejekontrakt',
      'lejeaftale',
      'erhvervslejeaftale',
      'lejeregulering',
      'indeksregulering',
      'huslejeregulering',
      'regulering af leje',
      'varsling af leje',
      'certeparti',
      'charter party',
      'opsigelse af lejemål',
      'lease agreement',
      'commercial lease',
      'lease contract',
      'huslejekontrakt',
      'forpagtningsaftale',
    ],
    folders: ['lejekontrakt', 'lejeaftale', 'lejemål', 'lejere', 'udlejning', 'lease'],
  }),
  kind('loan', {
    titles: [
      'låneaftale',
      'lånetilbud',
      'lånedokument',
      'gældsbrev',
      'pantebrev',
      'ejerpantebrev',
      'realkreditpantebrev',
      'skadesløsbrev',
      'kreditaftale',
      'kassekredit',
      'rentetilpasning',
      'refinansiering',
      'renteswap',
      'kautionserklæring',
      'obligationslån',
      'loan agreement',
      'facility agreement',
      'loan offer',
      'årsopgørelse for realkreditlån',
      'årsopgørelse realkreditlån',
      'årsopgørelse lån',
      'årsopgørelse for lån',
      'årsopgørelse over lån',
    ],
    folders: ['finansiering', 'lån', 'bank', 'financ', 'gæld'],
  }),
  kind('insurance', {
    titles: [
      'forsikringspolice',
      'police',
      'bygningsforsikring',
      'ejendomsforsikring',
      'ansvarsforsikring',
      'forsikringsoversigt',
      'forsikringsaftale',
      'forsikringscertifikat',
      'kaskoforsikring',
      'insurance policy',
      'certificate of insurance',
    ],
    folders: ['forsikring', 'insurance', 'police'],
  }),
  kind('articles', {
    titles: [
      'vedtægter',
      'selskabets vedtægter',
      'kommanditselskabskontrakt',
      'selskabskontrakt',
      'interessentskabskontrakt',
      'articles of association',
      'limited partnership agreement',
    ],
    folders: ['vedtægt', 'articles'],
  }),
  kind('prospectus', {
    titles: [
      'tegningsmateriale',
      'prospekt',
      'investeringsprospekt',
      'tegningsprospekt',
      'tegningsaftale',
      'tegningsblanket',
      'investeringsoplæg',
      'prospectus',
      'information memorandum',
    ],
    folders: ['tegning', 'prospekt', 'prospectus'],
  }),
  kind('valuation', {
    titles: [
      'vurderingsrapport',
      'ejendomsvurdering',
      'mæglervurdering',
      'valuarvurdering',
      'vurdering af',
      'vurdering pr',
      'vurderingsmeddelelse',
      'valuation report',
      'property valuation',
      'valuation',
    ],
    folders: ['vurdering', 'valuation'],
  }),
  kind('tax', {
    titles: [
      'skatteoplysninger',
      'skattemæssige oplysninger',
      'skattemæssigt regnskab',
      'skattemæssig opgørelse',
      'skattebilag',
      'skatteopgørelse',
      'skatteregnskab',
      'tax information',
    ],
    folders: ['skat', 'tax'],
    year: 'period',
    belongs: 'either',
  }),
  kind('capital account', {
    titles: [
      'kapitalkonto',
      'opgørelse af kapitalkonto',
      'kapitalkontoudtog',
      'capital account',
      'statement of capital account',
    ],
    year: 'period',
    belongs: 'person',
  }),
  kind('annual statement', {
    titles: [
      'årsopgørelse',
      'investoropgørelse',
      'årsoversigt',
      'beholdningsoversigt',
      'annual statement',
      'investor statement',
    ],
    year: 'period',
    belongs: 'person',
  }),
  kind('distribution', {
    titles: [
      'udlodning',
      'udlodningsmeddelelse',
      'udbetaling af udlodning',
      'udbetaling',
      'notice of distribution',
      'distribution',
    ],
    belongs: 'person',
  }),
  kind('call', {
    titles: [
      'indbetalingsanmodning',
      'indkaldelse af restindskud',
      'opkrævning af indskud',
      'opkrævning af restindskud',
      'restindskud',
      'capital call',
    ],
    belongs: 'person',
  }),
]

/** Words that may stand before what the title says. */
export const BEFORE_TITLE = new Set(
  'din dine dit referat fra af for til om over vedr vedrørende indkaldelse dagsorden protokollat meddelelse opgørelse ordinær ekstraordinær selskabets ændring ændringer tillæg allonge udkast endelig revideret notice minutes of the statement draft amendment to og forslag materiale bilag internt nye nyt ny gældende oplysning orientering police der indkaldes the emne subject re kopi underskrevet foreløbig foreløbigt din dine vores årlig årligt'
    .split(' ')
    .map(fold),
)
