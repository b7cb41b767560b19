import type { ObligationFields } from './obligation.ts'

type Shipped = Partial<ObligationFields> &
  Pick<ObligationFields, 'title' | 'explanation' | 'source' | 'source_url' | 'due_rule'> & { code: string }

/**
 * The obligations that come with Ringbind. Each is added once, by its code; after that the office may change it. When a
 * law changes, the old one gets a last day, and the new one its own code. Their words are Danish, since the office
 * reads them.
 */
export const SHIPPED: Shipped[] = [
  {
    code: 'annual-report',
    title: 'Årsrapport',
    explanation:
      'Årsrapporten skal være modtaget i Erhvervsstyrelsen senest 6 måneder efter regnskabsårets afslutning, hvis kommanditselskabets komplementarer er kapitalselskaber. Er selskabet undtaget, indsendes en undtagelseserklæring inden for samme frist.',
    source: 'Årsregnskabsloven § 138, stk. 1 (undtagelseserklæring: §§ 145-146)',
    source_url: 'https://danskelove.dk/%C3%A5rsregnskabsloven/138-148',
    // Earlier years had 5 months.
    holds_since: '2021-12-31',
    due_rule: 'months',
    due_months: 6,
    folder_name: 'Årsrapport',
  },
  {
    code: 'tax-statement',
    title: 'Skatteoplysninger til ejere og Skattestyrelsen',
    explanation:
      'Har virksomheden flere end ti ejere, laves et fælles skatteregnskab for de ejere, der ikke deltager væsentligt i driften. Det indberettes til Skattestyrelsen senest 15. april året efter, og ejerne underrettes inden for samme frist. Ringbind tæller projektets investorer.',
    source: 'Skatteindberetningsloven § 42, jf. ligningsloven § 29',
    source_url: 'https://elov.dk/skatteindberetningsloven/paragraf/42',
    holds_since: '2019-01-01',
    due_rule: 'day',
    due_day: 15,
    due_month: 4,
    more_than: 10,
    folder_name: 'Skatteoplysninger',
  },
  {
    code: 'crs-fatca',
    title: 'CRS- og FATCA-indberetning',
    explanation:
      'Er selskabet et indberettende finansielt institut, skal konti med tilknytning til udlandet indberettes til Skattestyrelsen senest 1. maj året efter. De færreste kommanditselskaber er det: vælg selv de projekter, det gælder.',
    source:
      'Skatteindberetningsloven § 22, og bekendtgørelse om identifikation og indberetning af finansielle konti med tilknytning til udlandet § 107',
    source_url:
      'https://elov.dk/bekendtgorelse-om-identifikation-og-indberetning-af-finansielle-konti-med-tilknytning-til-udlandet/paragraf/107',
    holds_since: '2019-01-01',
    due_rule: 'day',
    due_day: 1,
    due_month: 5,
    reach: 'chosen',
  },
  {
    code: 'beneficial-owners',
    title: 'Reelle ejere undersøgt',
    explanation:
      'Mindst én gang om året skal det undersøges, om oplysningerne om reelle ejere stadig passer, og resultatet fremlægges på det møde, hvor årsrapporten godkendes. Fristen her er sat en måned før årsrapportens, så det er på plads i tide.',
    source: 'Lov om visse erhvervsdrivende virksomheder (reelle ejere)',
    source_url: 'https://elov.dk/erhvervsvirksomhedsloven',
    holds_since: '2020-01-10',
    due_rule: 'months',
    due_months: 5,
  },
  {
    code: 'general-meeting',
    title: 'Generalforsamling',
    explanation:
      'Den ordinære generalforsamling holdes efter vedtægterne, og i så god tid, at den godkendte årsrapport kan nå frem til Erhvervsstyrelsen. Ret fristen, hvis vedtægterne siger noget andet.',
    source: 'Selskabets vedtægter',
    source_url: '',
    due_rule: 'months',
    due_months: 6,
    folder_name: 'Generalforsamling',
  },
]
