import { allOf, anyOf, formsIn, nothing, papers, wordsIn, type Expectation } from './search-expected.ts'
import type { Paper } from './search-papers.ts'

export type Kind = 'name' | 'number' | 'word' | 'phrase' | 'compound' | 'stem' | 'spelling' | 'typo' | 'mixed'

/**
 * A question over the demo's papers, and what somebody in a Danish office expects of it. What is found beyond `finds` is
 * wrong, unless it is in `may`: what nobody would complain about, and nobody would miss.
 */
export type Question = {
  ask: string
  kind: Kind
  as?: ReaderName
  finds: Expectation
  may?: Expectation
  findsNothing?: true
  /** The words as they must be understood; null if nothing may be mended. */
  corrected?: string | null
}

const HIDDEN_FOLDERS = new Set(['Bestyrelsesmøder', 'Finansiering', 'Diverse'])
const isOf = ({ project }: Paper, ...numbers: string[]) => project !== null && numbers.includes(project)
const isShared = ({ folder, isHeldBack }: Paper) => !HIDDEN_FOLDERS.has(folder) && !isHeldBack

/** The readers, by the part of their e-mail before the @, and the papers they see. */
export const READERS = {
  administrator: { email: 'administrator', sees: () => true },
  employee: { email: 'medarbejder', sees: () => true },
  auditor: {
    email: 'revisor',
    sees: (paper: Paper) => isOf(paper, '1024', '1031', '1134') && !paper.isHeldBack,
  },
  investor: {
    email: 'investor',
    sees: (paper: Paper) =>
      (isOf(paper, '1024', '1031', '1063') && isShared(paper)) || paper.person === 'Søren Kjærgaard',
  },
  /** Sees what Søren Kjærgaard and Poul Erik Ærtebjerg lend. */
  adviser: {
    email: 'raadgiver',
    sees: (paper: Paper) =>
      (isOf(paper, '1024', '1031', '1063') && ['Årsrapport', 'Skatteoplysninger'].includes(paper.folder)) ||
      (isOf(paper, '1042') && isShared(paper)) ||
      ['Søren Kjærgaard', 'Poul Erik Ærtebjerg'].includes(paper.person ?? ''),
  },
  /** An investor of a project with a recalled paper. */
  henning: {
    email: 'henning.bach.lauritzen',
    sees: (paper: Paper) =>
      (isOf(paper, '1058') && isShared(paper)) || paper.person === 'Henning Bach Lauritzen',
  },
  /** An investor of a project with a paper that is published next week. */
  christian: {
    email: 'christian.juel.friis',
    sees: (paper: Paper) =>
      (isOf(paper, '1085') && isShared(paper)) || paper.person === 'Christian Juel Friis',
  },
} satisfies Record<string, { email: string; sees: (paper: Paper) => boolean }>

export type ReaderName = keyof typeof READERS

// The forms and compounds of a word in the demo's names and texts.
const ANNUAL_REPORT = wordsIn('årsrapport', 'årsrapporten', 'årsrapporter', 'årsrapportens')
const REPORT = anyOf(ANNUAL_REPORT, wordsIn('kvartalsrapport', 'rapport'))
const QUARTERLY_REPORT = wordsIn('kvartalsrapport', 'kvartalsrapporten')
const BUDGET = wordsIn('budget', 'budgettet', 'driftsbudget', 'investeringsbudget')
const CONTRACT = wordsIn('kontrakten', 'lejekontrakt', 'lejekontrakter', 'lejekontraktens')
const LEASE = wordsIn('lejekontrakt', 'lejekontrakter', 'lejekontraktens')
const TENANT = wordsIn('lejer', 'lejers', 'lejerne', 'lejernes')
const RENT = anyOf(LEASE, wordsIn('leje', 'lejen', 'lejeindtægter', 'fremleje', 'udleje'))
const RENTED = anyOf(TENANT, wordsIn('udlejer', 'udlejet', 'huslejetabsforsikring'))
const AGREEMENT = formsIn(
  'aftale aftalen aftaler låneaftale låneaftalen forpagtningsaftale tegningsaftale serviceaftale komplementaraftale aftaleparternes',
)
const TAX = formsIn('skat ejendomsskatter skatteoplysninger skattemæssige skattemæssigt skatter')
const PROPERTY = formsIn(
  'ejendom ejendommen ejendomme ejendomsskatter investeringsejendom hotelejendom naboejendommens',
)
const INSURANCE = formsIn(
  'forsikring huslejetabsforsikring driftstabsforsikring ansvarsforsikring forsikringstager forsikringssum forsikringsselskab forsikringsselskabet',
)
const LOAN = wordsIn('lån', 'lånet', 'låneaftale', 'låneaftalen')
const LENDERS = wordsIn('långiver', 'låntager')
const MEETING = formsIn('møde mødet bestyrelsesmøde bestyrelsesmøder mødelokale mødeplanen informationsmøde')
const BOARD_MEETING = wordsIn('bestyrelsesmøde', 'bestyrelsesmøder')
const BOARD = anyOf(BOARD_MEETING, wordsIn('bestyrelse', 'bestyrelsen', 'bestyrelsens'))
const GENERAL_MEETING = formsIn(
  'generalforsamling generalforsamlingen generalforsamlingens generalforsamlinger',
)
const PARTNER = wordsIn(
  'kommanditist',
  'kommanditisten',
  'kommanditister',
  'kommanditisterne',
  'kommanditisternes',
)
const INTEREST = wordsIn('rente', 'renter', 'renten', 'renteudgifter', 'rentesats')
const VALUATION = wordsIn('vurdering', 'vurderingen', 'vurderinger', 'vurderingsmand')
const CAPITAL = wordsIn('kapital', 'egenkapital', 'stamkapitalen', 'kapitalkonto')
const DEED = wordsIn('pantebrev', 'pantebrevet')
const DISTRIBUTION = wordsIn('udlodning', 'udlodninger')
const DISTRIBUTED = wordsIn('udlodde', 'udloddet', 'udloddes')
const OFFER = wordsIn('tilbud', 'tilbuddet', 'tilbuddene')
const MILL = wordsIn('mølle', 'møllerne', 'møller', 'vindmøller')
const HOME = wordsIn('boliger', 'seniorboliger')
const DATE = (day: string, month: string, year: string) => ({
  finds: wordsIn(`${day}. ${month} ${year}`),
  may: allOf(wordsIn(day), wordsIn(month), wordsIn(year)),
})

const NAMES: Question[] = [
  { ask: 'Nordhavn', kind: 'name', finds: wordsIn('nordhavn') },
  {
    ask: 'K/S Vindpark Nørrekær',
    kind: 'name',
    finds: allOf(wordsIn('k/s'), wordsIn('vindpark'), wordsIn('nørrekær')),
  },
  {
    ask: 'k/s aarhus å boliger',
    kind: 'name',
    finds: allOf(wordsIn('k/s'), wordsIn('aarhus'), wordsIn('å'), HOME),
  },
  { ask: 'Retail Park', kind: 'name', finds: allOf(wordsIn('retail'), wordsIn('park')) },
  { ask: 'Ærø', kind: 'name', finds: wordsIn('ærø') },
  {
    ask: 'Budget (1024) 2027.pdf',
    kind: 'name',
    finds: allOf(BUDGET, wordsIn('1024'), wordsIn('2027'), wordsIn('pdf')),
  },
  {
    ask: 'Adgang og nøgler 2025.txt',
    kind: 'name',
    finds: papers('1024/Diverse (1024) Adgang og nøgler 2025.txt#1'),
  },
  { ask: '100% #1 + bilag?', kind: 'name', finds: papers('1024/Diverse (1024) 100% #1 + bilag?.pdf#1') },
  {
    ask: 'Tilbud på facade (rev. 2) & "ekstra" – Bjørn\'s kopi',
    kind: 'name',
    finds: papers('1024/Diverse (1024) Tilbud på facade (rev. 2) & "ekstra" – Bjørn\'s kopi.pdf#1'),
  },
  {
    ask: 'Facade mod havnen 2022',
    kind: 'name',
    finds: papers('1024/Diverse (1024) Facade mod havnen 2022.png'),
  },
  { ask: 'forbrugsaflæsning', kind: 'name', finds: papers('1024/Diverse (1024) Forbrugsaflæsning 2024.csv') },
  { ask: 'snerydning', kind: 'name', finds: wordsIn('snerydning') },
  { ask: 'Q2 2026', kind: 'name', finds: allOf(wordsIn('q2'), wordsIn('2026')) },
  { ask: 'police 2026', kind: 'name', finds: allOf(wordsIn('police', 'policenummer'), wordsIn('2026')) },
  { ask: 'kjærgaard', kind: 'name', finds: wordsIn('kjærgaard') },
  { ask: 'kapitalkonto 2025', kind: 'name', finds: allOf(wordsIn('kapitalkonto'), wordsIn('2025')) },
  { ask: 'marie vang', kind: 'name', finds: allOf(wordsIn('marie'), wordsIn('vang')) },
  { ask: 'Øresund Skibsmæglere', kind: 'name', finds: allOf(wordsIn('øresund'), wordsIn('skibsmæglere')) },
  { ask: 'nautisk data', kind: 'name', finds: allOf(wordsIn('nautisk'), wordsIn('data')) },
  { ask: 'Nordhavn', kind: 'name', as: 'investor', finds: wordsIn('nordhavn') },
  { ask: 'Taulov', kind: 'name', as: 'investor', finds: nothing, findsNothing: true, corrected: null },
  { ask: 'kapitalkonto', kind: 'name', as: 'investor', finds: wordsIn('kapitalkonto') },
  { ask: 'kapitalkonto', kind: 'name', as: 'auditor', finds: nothing, findsNothing: true, corrected: null },
  { ask: 'kjærgaard', kind: 'name', as: 'auditor', finds: nothing, findsNothing: true, corrected: null },
  { ask: 'kapitalkonto', kind: 'name', as: 'adviser', finds: wordsIn('kapitalkonto') },
  { ask: 'Halvorsen', kind: 'name', as: 'adviser', finds: nothing, findsNothing: true, corrected: null },
  { ask: 'snerydning', kind: 'name', as: 'investor', finds: nothing, findsNothing: true, corrected: null },
  { ask: 'indkaldelse 2027', kind: 'name', finds: allOf(wordsIn('indkaldelse'), wordsIn('2027')) },
  {
    ask: 'indkaldelse 2027',
    kind: 'name',
    as: 'christian',
    finds: nothing,
    findsNothing: true,
  },
]

const NUMBERS: Question[] = [
  { ask: '4.701.123', kind: 'number', finds: wordsIn('4.701.123') },
  { ask: '4701123', kind: 'number', finds: wordsIn('4.701.123') },
  { ask: '4 701 123', kind: 'number', finds: wordsIn('4.701.123') },
  { ask: '4.701.123 kr.', kind: 'number', finds: wordsIn('4.701.123') },
  { ask: '46.581,25', kind: 'number', finds: wordsIn('46.581,25') },
  { ask: '46581,25', kind: 'number', finds: wordsIn('46.581,25') },
  { ask: '186325', kind: 'number', finds: wordsIn('186.325') },
  { ask: '-898.000', kind: 'number', finds: wordsIn('898.000') },
  { ask: '1.285', kind: 'number', finds: wordsIn('1.285') },
  { ask: '336045', kind: 'number', finds: wordsIn('336045') },
  { ask: '1024-336045', kind: 'number', finds: wordsIn('1024-336045') },
  { ask: '59.931 MWh', kind: 'number', finds: wordsIn('59.931 MWh'), may: wordsIn('59.931') },
  { ask: '3.645 m²', kind: 'number', finds: wordsIn('3.645 m²'), may: wordsIn('3.645') },
  { ask: '3,50 pct', kind: 'number', finds: allOf(wordsIn('3,50'), wordsIn('pct')) },
  { ask: '100.241.364', kind: 'number', finds: wordsIn('100.241.364') },
  { ask: '100241364', kind: 'number', as: 'investor', finds: wordsIn('100.241.364') },
  { ask: '1024', kind: 'number', finds: wordsIn('1024'), may: wordsIn('1.024') },
  { ask: '987', kind: 'number', finds: wordsIn('987') },
  { ask: '2001', kind: 'number', finds: wordsIn('2001'), may: wordsIn('2.001') },
  { ask: '5500 Middelfart', kind: 'number', finds: wordsIn('5500 Middelfart') },
  { ask: '2027', kind: 'number', finds: wordsIn('2027'), may: wordsIn('2.027') },
  { ask: '22. april 2026', kind: 'number', ...DATE('22', 'april', '2026') },
  { ask: '"31. december 2024"', kind: 'number', finds: wordsIn('31. december 2024') },
  { ask: '12.05.2026', kind: 'number', ...DATE('12', 'maj', '2026') },
  { ask: '99.999.999', kind: 'number', finds: nothing, findsNothing: true, corrected: null },
  { ask: '4701124', kind: 'number', finds: nothing, findsNothing: true, corrected: null },
  { ask: '47.011', kind: 'number', finds: nothing, findsNothing: true, corrected: null },
  { ask: '14.328.000', kind: 'number', as: 'auditor', finds: wordsIn('14.328.000') },
  { ask: '14328000', kind: 'number', as: 'investor', finds: wordsIn('14.328.000') },
  { ask: '1.430.910', kind: 'number', as: 'auditor', finds: wordsIn('1.430.910') },
  { ask: '1.430.910', kind: 'number', as: 'investor', finds: nothing, findsNothing: true, corrected: null },
  { ask: '5500', kind: 'number', as: 'auditor', finds: nothing, findsNothing: true, corrected: null },
]

const WORDS: Question[] = [
  { ask: 'egenkapital', kind: 'word', finds: wordsIn('egenkapital') },
  { ask: 'ledelsespåtegning', kind: 'word', finds: wordsIn('ledelsespåtegning') },
  { ask: 'nettoprisindekset', kind: 'word', finds: wordsIn('nettoprisindekset') },
  { ask: 'elevator', kind: 'word', finds: papers('1024/Diverse (1024) Adgang og nøgler 2025.txt#1') },
  { ask: 'elevator', kind: 'word', as: 'investor', finds: nothing, findsNothing: true, corrected: null },
  { ask: 'tagterrasse', kind: 'word', finds: wordsIn('tagterrasse', 'tagterrassen') },
  { ask: 'fuldmagt', kind: 'word', finds: wordsIn('fuldmagt', 'fuldmagten') },
  {
    ask: 'likvide beholdninger',
    kind: 'word',
    finds: allOf(wordsIn('likvide', 'likvid'), wordsIn('beholdninger')),
  },
  { ask: 'besætning', kind: 'word', finds: wordsIn('besætning') },
  { ask: 'el', kind: 'word', finds: wordsIn('el') },
  { ask: 'sal', kind: 'word', finds: wordsIn('sal') },
  { ask: 'hal', kind: 'word', finds: wordsIn('hal') },
  { ask: 'bil', kind: 'word', finds: nothing, findsNothing: true },
  { ask: 'ris', kind: 'word', finds: nothing, findsNothing: true },
  { ask: 'and', kind: 'word', finds: nothing, findsNothing: true },
  { ask: 'kryptovaluta', kind: 'word', finds: nothing, findsNothing: true, corrected: null },
  { ask: 'helikopter nordhavn', kind: 'word', finds: nothing, findsNothing: true },
  { ask: 'fortroligt', kind: 'word', finds: wordsIn('fortroligt') },
  { ask: 'fortroligt', kind: 'word', as: 'henning', finds: nothing, findsNothing: true, corrected: null },
  { ask: 'kystbanken', kind: 'word', as: 'auditor', finds: wordsIn('kystbanken') },
  { ask: 'kystbanken', kind: 'word', as: 'investor', finds: nothing, findsNothing: true, corrected: null },
  { ask: 'restgæld', kind: 'word', as: 'investor', finds: nothing, findsNothing: true, corrected: null },
  { ask: 'egenkapital', kind: 'word', as: 'adviser', finds: wordsIn('egenkapital') },
  { ask: 'lejeindtægter', kind: 'word', as: 'adviser', finds: wordsIn('lejeindtægter') },
  { ask: 'middelfart', kind: 'word', as: 'adviser', finds: nothing, findsNothing: true, corrected: null },
]

const COMPOUNDS: Question[] = [
  { ask: 'rapport', kind: 'compound', finds: REPORT },
  { ask: 'leje', kind: 'compound', finds: RENT, may: RENTED },
  { ask: 'husleje', kind: 'compound', finds: wordsIn('huslejetabsforsikring') },
  { ask: 'skat', kind: 'compound', finds: TAX, may: wordsIn('beskattes') },
  { ask: 'ejendom', kind: 'compound', finds: PROPERTY },
  { ask: 'forsikring', kind: 'compound', finds: INSURANCE },
  { ask: 'kontrakt', kind: 'compound', finds: CONTRACT },
  { ask: 'aftale', kind: 'compound', finds: AGREEMENT, may: wordsIn('aftalte') },
  { ask: 'lån', kind: 'compound', finds: LOAN, may: LENDERS },
  { ask: 'kapital', kind: 'compound', finds: CAPITAL },
  { ask: 'budget', kind: 'compound', finds: BUDGET },
  { ask: 'møde', kind: 'compound', finds: MEETING },
  { ask: 'mølle', kind: 'compound', finds: MILL },
  { ask: 'bolig', kind: 'compound', finds: HOME },
  {
    ask: 'selskab',
    kind: 'compound',
    finds: wordsIn(
      'selskabet',
      'selskabets',
      'forsikringsselskab',
      'forsikringsselskabet',
      'kommanditselskaber',
    ),
  },
  { ask: 'brev', kind: 'compound', finds: anyOf(DEED, wordsIn('brev', 'åbningsbrev')) },
  { ask: 'arkiv', kind: 'compound', finds: wordsIn('arkiv', 'arkivrum', 'papirarkivet') },
  { ask: 'gæld', kind: 'compound', finds: wordsIn('gæld', 'gælden', 'restgæld', 'restgælden') },
  { ask: 'parkering', kind: 'compound', finds: wordsIn('cykelparkering', 'cykelparkeringen') },
  { ask: 'andel', kind: 'compound', finds: wordsIn('andel', 'andele', 'andelene') },
  { ask: 'pris', kind: 'compound', finds: wordsIn('pristillæg'), may: wordsIn('nettoprisindekset') },
  {
    ask: 'pant',
    kind: 'compound',
    finds: anyOf(DEED, wordsIn('pant', 'pantet')),
    may: wordsIn('pantsætter'),
  },
  { ask: 'renovering', kind: 'compound', finds: wordsIn('facaderenovering') },
  { ask: 'rapport', kind: 'compound', as: 'adviser', finds: REPORT },
  { ask: 'brev', kind: 'compound', as: 'investor', finds: nothing, findsNothing: true },
]

const STEMS: Question[] = [
  { ask: 'årsrapporten', kind: 'stem', finds: ANNUAL_REPORT },
  { ask: 'årsrapporter', kind: 'stem', finds: ANNUAL_REPORT },
  { ask: 'kvartalsrapporterne', kind: 'stem', finds: QUARTERLY_REPORT },
  {
    ask: 'lejeren',
    kind: 'stem',
    finds: TENANT,
    may: wordsIn('leje', 'lejen', 'udlejer', 'udlejet', 'udleje', 'fremleje'),
  },
  { ask: 'kommanditist', kind: 'stem', finds: PARTNER },
  { ask: 'generalforsamlinger', kind: 'stem', finds: GENERAL_MEETING },
  { ask: 'bestyrelse', kind: 'stem', finds: BOARD },
  { ask: 'udlodninger', kind: 'stem', finds: DISTRIBUTION, may: DISTRIBUTED },
  { ask: 'udloddet', kind: 'stem', finds: DISTRIBUTED, may: DISTRIBUTION },
  { ask: 'renten', kind: 'stem', finds: wordsIn('rente', 'renter', 'renten'), may: INTEREST },
  {
    ask: 'vurderingerne',
    kind: 'stem',
    finds: wordsIn('vurdering', 'vurderingen', 'vurderinger'),
    may: VALUATION,
  },
  { ask: 'tilbuddet', kind: 'stem', finds: OFFER },
  { ask: 'ladestander', kind: 'stem', finds: wordsIn('ladestandere') },
  { ask: 'nøglerne', kind: 'stem', finds: wordsIn('nøgle', 'nøgler') },
  { ask: 'rådgivere', kind: 'stem', finds: wordsIn('rådgiver', 'rådgiverne') },
  { ask: 'dirigenten', kind: 'stem', finds: wordsIn('dirigent', 'dirigenten') },
  { ask: 'afskrivning', kind: 'stem', finds: wordsIn('afskrivninger') },
  { ask: 'opsige', kind: 'stem', finds: wordsIn('opsiges'), may: wordsIn('uopsigelighedsperioden') },
  { ask: 'pantebreve', kind: 'stem', finds: DEED },
  { ask: 'pantebreve', kind: 'stem', as: 'auditor', finds: DEED },
  { ask: 'pantebreve', kind: 'stem', as: 'investor', finds: nothing, findsNothing: true, corrected: null },
]

const SPELLINGS: Question[] = [
  { ask: 'aarsrapport', kind: 'spelling', finds: ANNUAL_REPORT },
  { ask: 'ÅRSRAPPORT', kind: 'spelling', finds: ANNUAL_REPORT },
  { ask: 'a\u030arsrapport', kind: 'spelling', finds: ANNUAL_REPORT },
  { ask: 'oeresund', kind: 'spelling', finds: wordsIn('øresund') },
  { ask: 'århus', kind: 'spelling', finds: wordsIn('aarhus') },
  { ask: 'aeroe', kind: 'spelling', finds: wordsIn('ærø') },
  { ask: 'andre sørbye', kind: 'spelling', finds: allOf(wordsIn('andré'), wordsIn('sørbye')) },
  { ask: 'aakjaer', kind: 'spelling', finds: wordsIn('åkjær') },
  { ask: 'lindegård', kind: 'spelling', finds: wordsIn('lindegaard') },
  { ask: 'bottensjø', kind: 'spelling', finds: wordsIn('bottensjö') },
  { ask: 'noegler', kind: 'spelling', finds: wordsIn('nøgle', 'nøgler') },
  { ask: 'bestyrelsesmoede', kind: 'spelling', finds: BOARD_MEETING },
]

const TYPOS: Question[] = [
  { ask: 'årsraport', kind: 'typo', finds: ANNUAL_REPORT },
  { ask: 'forsikrng', kind: 'typo', finds: INSURANCE },
  { ask: 'halvorsn', kind: 'typo', finds: wordsIn('halvorsen') },
  { ask: 'tagterasse', kind: 'typo', finds: wordsIn('tagterrasse', 'tagterrassen') },
  { ask: 'vedligholdelse', kind: 'typo', finds: wordsIn('vedligeholdelse') },
  { ask: 'ejendomskatter', kind: 'typo', finds: wordsIn('ejendomsskatter') },
  { ask: 'generalforsamlimg', kind: 'typo', finds: GENERAL_MEETING },
  { ask: 'kystbaanken', kind: 'typo', finds: wordsIn('kystbanken') },
  { ask: 'lejekontrkt', kind: 'typo', finds: LEASE },
  { ask: 'pantebrv', kind: 'typo', as: 'auditor', finds: DEED },
  { ask: 'pantebrv', kind: 'typo', as: 'investor', finds: nothing, findsNothing: true, corrected: null },
  { ask: 'kystbnken', kind: 'typo', as: 'adviser', finds: nothing, findsNothing: true, corrected: null },
  { ask: 'fortrligt', kind: 'typo', as: 'henning', finds: nothing, findsNothing: true, corrected: null },
]

const PHRASES: Question[] = [
  { ask: '"likvide beholdninger"', kind: 'phrase', finds: wordsIn('likvide beholdninger') },
  { ask: '"resultat før renter"', kind: 'phrase', finds: wordsIn('resultat før renter') },
  { ask: '"12 måneders varsel"', kind: 'phrase', finds: wordsIn('12 måneders varsel') },
  { ask: '"Kaffebaren Kaj 7"', kind: 'phrase', finds: wordsIn('kaffebaren kaj 7') },
  {
    ask: '"bestyrelsen på mødet i december"',
    kind: 'phrase',
    finds: wordsIn('bestyrelsen på mødet i december'),
  },
  {
    ask: '"generalforsamlingen var lovligt indvarslet"',
    kind: 'phrase',
    finds: wordsIn('generalforsamlingen var lovligt indvarslet'),
  },
  { ask: '"aarets resultat"', kind: 'phrase', finds: wordsIn('årets resultat') },
  { ask: '"årsrapporten for 2025"', kind: 'phrase', finds: wordsIn('årsrapporten for 2025') },
  { ask: '"yderligere fem år"', kind: 'phrase', finds: wordsIn('yderligere fem år') },
  { ask: '"renter før resultat"', kind: 'phrase', finds: nothing, findsNothing: true },
  { ask: '"beholdninger likvide"', kind: 'phrase', finds: nothing, findsNothing: true },
  {
    ask: '"restgælden ved årets begyndelse"',
    kind: 'phrase',
    as: 'investor',
    finds: nothing,
    findsNothing: true,
    corrected: null,
  },
]

const MIXED: Question[] = [
  {
    ask: 'nordhavn forsikring 2024',
    kind: 'mixed',
    finds: allOf(wordsIn('nordhavn'), INSURANCE, wordsIn('2024')),
  },
  { ask: 'samsø pristillæg', kind: 'mixed', finds: allOf(wordsIn('samsø'), wordsIn('pristillæg')) },
  { ask: 'halvorsen allonge', kind: 'mixed', finds: allOf(wordsIn('halvorsen'), wordsIn('allonge')) },
  { ask: 'pantebrev 1031', kind: 'mixed', finds: allOf(DEED, wordsIn('1031')) },
  {
    ask: 'kystbanken 2025 restgæld',
    kind: 'mixed',
    finds: allOf(wordsIn('kystbanken'), wordsIn('2025'), wordsIn('restgæld', 'restgælden')),
  },
  {
    ask: 'skagen "resultat før renter"',
    kind: 'mixed',
    finds: allOf(wordsIn('skagen'), wordsIn('resultat før renter')),
  },
  {
    ask: 'årsrapport 2025 lolland',
    kind: 'mixed',
    finds: allOf(ANNUAL_REPORT, wordsIn('2025'), wordsIn('lolland')),
  },
  {
    ask: 'taulov kølelager kontrakt',
    kind: 'mixed',
    finds: allOf(wordsIn('taulov'), wordsIn('kølelager'), CONTRACT),
  },
  { ask: 'æblehaven fremleje', kind: 'mixed', finds: allOf(wordsIn('æblehaven'), wordsIn('fremleje')) },
  {
    ask: 'hotel skagen årsrapporten udlodning',
    kind: 'mixed',
    finds: allOf(
      wordsIn('hotel', 'hotellet', 'hotelejendom', 'hoteldrift'),
      wordsIn('skagen'),
      ANNUAL_REPORT,
      DISTRIBUTION,
    ),
    may: allOf(
      wordsIn('hotel', 'hotellet', 'hotelejendom', 'hoteldrift'),
      wordsIn('skagen'),
      ANNUAL_REPORT,
      DISTRIBUTED,
    ),
  },
  { ask: 'generalforsamlng 1063', kind: 'mixed', finds: allOf(GENERAL_MEETING, wordsIn('1063')) },
  {
    ask: 'referat sørbye 2026',
    kind: 'mixed',
    as: 'investor',
    finds: allOf(wordsIn('referat', 'referatet'), wordsIn('sørbye'), wordsIn('2026')),
  },
  {
    ask: 'nordhavn pantebrev',
    kind: 'mixed',
    as: 'investor',
    finds: nothing,
    findsNothing: true,
    corrected: null,
  },
  {
    ask: 'skatteoplysninger 2025 kontorhus',
    kind: 'mixed',
    as: 'adviser',
    finds: allOf(wordsIn('skatteoplysninger'), wordsIn('2025'), wordsIn('kontorhus')),
  },
  {
    ask: 'lejekontrakt cykelhjørnet',
    kind: 'mixed',
    as: 'employee',
    finds: allOf(LEASE, wordsIn('cykelhjørnet')),
  },
]

/** Asked for the first time when the search existed: words that nobody had looked at while it was made. */
const LATER: Question[] = [
  { ask: 'indtægt', kind: 'compound', finds: formsIn('indtægter indtægterne lejeindtægter') },
  { ask: 'afgift', kind: 'compound', finds: formsIn('afgifter forpagtningsafgift') },
  { ask: 'skib', kind: 'compound', finds: formsIn('skib skibet tankskib containerskib skibsmæglere') },
  { ask: 'anlæg', kind: 'compound', finds: formsIn('anlægget solcelleanlæg') },
  {
    ask: 'hæftelse',
    kind: 'compound',
    finds: formsIn('hæftelse resthæftelse resthæftelsen'),
    may: wordsIn('hæfter'),
  },
  { ask: 'park', kind: 'compound', finds: formsIn('park vindpark solpark') },
  { ask: 'præmie', kind: 'compound', finds: formsIn('præmie årspræmie') },
  {
    ask: 'drift',
    kind: 'compound',
    finds: formsIn('drift driften driftsbudget driftstabsforsikring hoteldrift'),
  },
  {
    ask: 'regnskab',
    kind: 'compound',
    finds: formsIn('regnskab regnskabsåret regnskabsår regnskabsperiode'),
  },
  {
    ask: 'hus',
    kind: 'compound',
    finds: formsIn('hus forhuset baghuset kontorhus'),
    may: formsIn('huslejetabsforsikring aarhus'),
  },
  { ask: 'forening', kind: 'compound', finds: wordsIn('ejerforening') },
  { ask: 'opgørelse', kind: 'compound', finds: formsIn('opgørelse årsopgørelse resultatopgørelse') },
  { ask: 'konto', kind: 'compound', finds: formsIn('konto kapitalkonto kontonummeret') },
  {
    ask: 'oplysning',
    kind: 'compound',
    finds: formsIn('oplysninger skatteoplysninger kontaktoplysninger bankoplysninger'),
    may: wordsIn('oplyser'),
  },
  { ask: 'bank', kind: 'compound', finds: formsIn('bank kystbanken bankoplysninger') },
  { ask: 'rum', kind: 'compound', finds: formsIn('arkivrum serverrum serverrummet teknikrum') },
  { ask: 'vej', kind: 'compound', finds: formsIn('adgangsvej adgangsvejen adgangsveje strandvejen') },
  { ask: 'medlem', kind: 'stem', finds: wordsIn('medlemmer') },
  { ask: 'andelen', kind: 'stem', finds: formsIn('andel andele andelene') },
  { ask: 'skaden', kind: 'stem', finds: formsIn('skade skader') },
  { ask: 'investorer', kind: 'stem', finds: formsIn('investor investorerne') },
  {
    ask: 'ændringer',
    kind: 'stem',
    finds: formsIn('ændring ændringen'),
    may: formsIn('adresseændring navneændring'),
  },
  { ask: 'måned', kind: 'stem', finds: formsIn('måned måneders') },
  { ask: 'kommune', kind: 'stem', finds: wordsIn('kommunen') },
  { ask: 'værelse', kind: 'stem', finds: wordsIn('værelser') },
  { ask: 'kat', kind: 'word', finds: nothing, findsNothing: true },
  { ask: 'arm', kind: 'word', finds: nothing, findsNothing: true },
  { ask: 'ring', kind: 'word', finds: nothing, findsNothing: true },
  { ask: 'ål', kind: 'word', finds: nothing, findsNothing: true },
  { ask: 'kvartalsraport', kind: 'typo', finds: QUARTERLY_REPORT },
  { ask: 'skatteoplysniger', kind: 'typo', finds: wordsIn('skatteoplysninger') },
  { ask: 'forpagtingsaftale', kind: 'typo', finds: wordsIn('forpagtningsaftale') },
  { ask: 'bestyrlsen', kind: 'typo', finds: BOARD },
  { ask: 'lindegard', kind: 'typo', finds: wordsIn('lindegaard') },
  { ask: 'nørekær', kind: 'typo', finds: wordsIn('nørrekær') },
  { ask: '"borde og stole på kajen"', kind: 'phrase', finds: wordsIn('borde og stole på kajen') },
  { ask: '"godkendt en revisor"', kind: 'phrase', finds: nothing, findsNothing: true },
  { ask: '68161', kind: 'number', finds: wordsIn('68.161') },
  { ask: '5 350 394', kind: 'number', finds: wordsIn('5.350.394') },
  { ask: '1/1/2013', kind: 'number', ...DATE('1', 'januar', '2013') },
  { ask: 'heden møbler', kind: 'name', finds: allOf(wordsIn('heden'), wordsIn('møbler')) },
  { ask: 'skagen værelse', kind: 'mixed', finds: allOf(wordsIn('skagen'), wordsIn('værelser')) },
  { ask: 'solpark pantebrev', kind: 'mixed', finds: nothing, findsNothing: true },
]

export const QUESTIONS: Question[] = [
  ...NAMES,
  ...NUMBERS,
  ...WORDS,
  ...COMPOUNDS,
  ...STEMS,
  ...SPELLINGS,
  ...TYPOS,
  ...PHRASES,
  ...MIXED,
  ...LATER,
]

/** The suggestions beside files while typing: all of them, and nothing else, where a list is given. */
export const SUGGESTED: {
  ask: string
  as?: ReaderName
  projects?: string[]
  people?: string[]
  folders?: string[]
}[] = [
  { ask: 'nordhavn', projects: ['1024'], people: [], folders: [] },
  { ask: '1024', projects: ['1024'], people: [] },
  { ask: '38291041', projects: ['1024'], people: [] },
  { ask: '38 29 10 41', projects: ['1024'], people: [] },
  { ask: 'vind', projects: ['1031', '2014'], people: [] },
  { ask: 'århus', projects: ['1063'] },
  { ask: 'kjær', projects: [], people: ['Søren Kjærgaard'] },
  { ask: 'ågesen', people: ['Hanne Aagesen'] },
  { ask: '2001', projects: [], people: ['Søren Kjærgaard'] },
  { ask: 'karen', people: ['Karen Holst', 'Karen Margrethe Toft'] },
  { ask: 'finansiering 1024', folders: ['Finansiering'] },
  { ask: 'årsrap', as: 'investor', folders: ['Årsrapport'], people: [] },
  { ask: 'nordhavn', as: 'investor', projects: ['1024'], people: [] },
  { ask: 'taulov', as: 'investor', projects: [], people: [], folders: [] },
  { ask: '39904411', as: 'investor', projects: [] },
  { ask: 'finansiering 1024', as: 'investor', folders: [] },
  { ask: 'holm', as: 'investor', people: [] },
  { ask: 'søren', as: 'auditor', people: [] },
  // Of 1042 everything is lent to them.
  { ask: 'budget 1042', as: 'adviser', folders: ['Budget'] },
  { ask: 'budget 1024', as: 'adviser', folders: [] },
  { ask: 'taulov', as: 'auditor', projects: [] },
]
