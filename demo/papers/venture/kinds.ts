/** A kind of asset that a project may own, and how it earns money. */
export type Kind = {
  purpose: string
  /** The asset's name in the balance sheet. */
  asset: string
  /** The asset's name in a sentence. */
  object: string
  income: string
  costs: [label: string, shareOfIncome: number][]
  /** The asset's price, in years of income. */
  multiple: number
  loanYears: number
  /** Years of use. If left out, the asset is valued again each year. */
  lifetime?: number
  insurance: string
  /** Its contracts: their name, our role, the other side's role, the amount, its unit, and whether it is indexed. */
  contract: { name: string; we: string; they: string; rent: string; unit: string; indexed: boolean }
  /** Set if the contracts cost money instead of earning it. */
  paysRent?: true
  seasons: Seasons
}

/** Each quarter's share of a year. */
export type Seasons = [number, number, number, number]

export const EVEN: Seasons = [0.25, 0.25, 0.25, 0.25]

const PROPERTY: Kind = {
  purpose: 'at eje og udleje fast ejendom',
  asset: 'Investeringsejendom',
  object: 'ejendommen',
  income: 'Lejeindtægter',
  costs: [
    ['Ejendomsskatter og afgifter', 0.055],
    ['Forsikring', 0.015],
    ['Vedligeholdelse', 0.07],
    ['Administration', 0.035],
    ['Revision og advokat', 0.012],
  ],
  multiple: 13.5,
  loanYears: 30,
  insurance: 'Bygnings- og huslejetabsforsikring',
  contract: {
    name: 'lejekontrakt',
    we: 'udlejer',
    they: 'lejer',
    rent: 'Årlig leje',
    unit: 'm²',
    indexed: true,
  },
  seasons: EVEN,
}

const LAND: Kind['contract'] = {
  name: 'forpagtningsaftale',
  we: 'forpagter',
  they: 'bortforpagter',
  rent: 'Årlig forpagtningsafgift',
  unit: 'ha',
  indexed: true,
}

const WIND: Kind = {
  purpose: 'at eje og drive vindmøller og sælge den producerede el',
  asset: 'Vindmøller',
  object: 'møllerne',
  income: 'Salg af el',
  costs: [
    ['Service og reparation', 0.17],
    ['Forsikring', 0.03],
    ['Nettilslutning og balancering', 0.05],
    ['Administration', 0.03],
    ['Revision og advokat', 0.01],
  ],
  multiple: 8.5,
  loanYears: 16,
  lifetime: 25,
  insurance: 'All risk- og driftstabsforsikring',
  contract: LAND,
  paysRent: true,
  seasons: [0.31, 0.21, 0.19, 0.29],
}

export const KINDS = {
  property: PROPERTY,
  homes: {
    ...PROPERTY,
    purpose: 'at eje og udleje boliger',
    costs: [
      ['Ejendomsskatter og afgifter', 0.06],
      ['Forsikring', 0.018],
      ['Vedligeholdelse og istandsættelse', 0.1],
      ['Administration og vicevært', 0.06],
      ['Revision og advokat', 0.012],
    ],
    multiple: 15,
  },
  hotel: {
    ...PROPERTY,
    purpose: 'at eje en hotelejendom og bortforpagte den til en operatør',
    asset: 'Hotelejendom',
    object: 'hotellet',
    income: 'Forpagtningsafgift',
    contract: { ...LAND, we: LAND.they, they: LAND.we, unit: 'm²' },
    seasons: [0.14, 0.27, 0.4, 0.19],
  },
  wind: WIND,
  solar: {
    ...WIND,
    purpose: 'at eje og drive et solcelleanlæg og sælge den producerede el',
    asset: 'Solcelleanlæg',
    object: 'anlægget',
    seasons: [0.13, 0.39, 0.36, 0.12],
  },
  ship: {
    ...PROPERTY,
    purpose: 'at eje og bortfragte skib',
    asset: 'Skib',
    object: 'skibet',
    income: 'Charterhyre',
    costs: [
      ['Besætning', 0.27],
      ['Teknisk drift og dokning', 0.16],
      ['Forsikring', 0.035],
      ['Administration', 0.03],
      ['Revision og advokat', 0.01],
    ],
    multiple: 5,
    loanYears: 16,
    lifetime: 25,
    insurance: 'Kasko- og ansvarsforsikring (P&I)',
    contract: {
      name: 'certeparti',
      we: 'bortfragter',
      they: 'befragter',
      rent: 'Årlig hyre',
      unit: 'dage',
      indexed: false,
    },
  },
} satisfies Record<string, Kind>
