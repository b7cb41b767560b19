import { formatMoney } from '../../../src/base/money.ts'
import { operatingResult, sum, type Item, type Operations } from '../venture/amounts.ts'
import type { Line } from './pdf.ts'

/** '1.234'. */
export const kroner = (amount: number) => formatMoney(amount)
/** '1.234,50'. */
export const exact = (amount: number) => formatMoney(amount, { decimals: 2 })

/** 'et underskud på 1.234 kr.' */
export function surplus(amount: number): string {
  return `et ${amount < 0 ? 'underskud' : 'overskud'} på ${kroner(Math.abs(amount))} kr.`
}

export function head(...cells: string[]): Line {
  return { row: cells, as: 'head' }
}

export function row(label: string, ...amounts: number[]): Line {
  return { row: [label, ...amounts.map(kroner)] }
}

export function total(label: string, ...amounts: number[]): Line {
  return { row: [label, ...amounts.map(kroner)], as: 'total' }
}

/** Returns income, costs and result, with a column for each year or part of one. */
export function operatingRows(columns: Operations[]): Line[] {
  return [
    ...sideBySide(columns.map(({ income }) => income)),
    total('Indtægter i alt', ...columns.map(({ income }) => sum(income))),
    ...sideBySide(columns.map(({ costs }) => costs.map(([label, amount]) => [label, -amount]))),
    total('Resultat før renter', ...columns.map(operatingResult)),
  ]
}

function sideBySide(columns: Item[][]): Line[] {
  return columns[0]!.map(([label], index) => row(label, ...columns.map((column) => column[index]![1])))
}
