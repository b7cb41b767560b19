import { COLUMNS, type CompanyValues } from '../company/company.ts'

type Amounts = Extract<(typeof COLUMNS)[number], { type: 'currency' }>['name']

/** The columns in kroner. */
export const AMOUNTS = COLUMNS.flatMap((column): Amounts[] =>
  column.type === 'currency' ? [column.name] : [],
)

/** The columns with an investor's part, in the order in which the parts are shown. */
export const PARTS = [
  { name: 'equity', text: 'Andel af egenkapital' },
  { name: 'debt', text: 'Andel af gæld' },
  { name: 'result', text: 'Andel af årets resultat' },
] as const satisfies readonly { name: Amounts; text: string }[]

export type PartColumn = (typeof PARTS)[number]['name']

/** The values that sums need. */
export type Summed = Pick<CompanyValues, Amounts | 'share'>

export type Sums = { amounts: Record<Amounts, number>; parts: Record<PartColumn, number> }

// A share is stored in ten-thousandths of a percent.
const WHOLE = 1_000_000n

/**
 * 12.5 % of 1,001 kr. is 125. Rounds to whole kroner, half away from zero, using integers. Null if either is
 * missing.
 */
export function partOf(share: number | null, amount: number | null): number | null {
  if (share === null || amount === null || !Number.isFinite(share) || !Number.isSafeInteger(amount))
    return null
  const exact = BigInt(Math.round(share * 10_000)) * BigInt(amount)
  const size = exact < 0n ? -exact : exact
  const kroner = Number((size + WHOLE / 2n) / WHOLE)
  return exact < 0n && kroner > 0 ? -kroner : kroner
}

/** Sums the columns; an empty cell counts as 0. Adds up the rounded parts, so that the numbers shown add up. */
export function sumsOf(companies: readonly Summed[]): Sums {
  const sum = (values: (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0)
  return {
    amounts: byName(AMOUNTS, (name) => sum(companies.map((company) => company[name]))),
    parts: byName(
      PARTS.map(({ name }) => name),
      (name) => sum(companies.map((company) => partOf(company.share, company[name]))),
    ),
  }
}

const byName = <Name extends string>(names: readonly Name[], of: (name: Name) => number) =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, number>
