/** Reads filters from an address one by one, and notes their faults. A filter with a fault counts as not given. */
export class FilterReader {
  errors: Record<string, string[]> = {}
  #address: URLSearchParams

  /** `whole` is the query without filters; `unknown` is the fault of a name that it does not have. */
  constructor(address: URLSearchParams, whole: object, unknown: string) {
    this.#address = address
    for (const name of new Set(address.keys()))
      if (!Object.hasOwn(whole, name)) this.errors[name] = [unknown]
      else if (address.getAll(name).length > 1) this.errors[name] = ['Filteret må kun stå der én gang.']
  }

  textOf(name: string): string {
    return name in this.errors ? '' : (this.#address.get(name) ?? '')
  }

  read<Value>(name: string, fault: string, valueOf: (text: string) => Value | null): Value | null {
    const text = this.textOf(name)
    if (text === '') return null
    const value = valueOf(text)
    if (value === null) this.errors[name] = [fault]
    return value
  }

  id(name: string): number | null {
    return this.read(name, 'Filteret skal være et id.', wholeNumber)
  }
}

export const numberUpTo = (most: number) => (text: string) =>
  /^[1-9]\d{0,15}$/.test(text) && Number(text) <= most ? Number(text) : null

/** Reads a number from 1. */
export const wholeNumber = numberUpTo(Number.MAX_SAFE_INTEGER)

/** Writes `?q=budget&year=2025`: what differs from the query without filters, in its order; '' for nothing. */
export function writeFilters<Query extends object>(query: Query, whole: Query): string {
  const names = Object.keys(whole) as (keyof Query & string)[]
  const pairs = names
    .filter((name) => query[name] !== whole[name])
    .map((name) => `${name}=${encodeURIComponent(String(query[name]).toWellFormed())}`)
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

/** The parameters of '/log?act=file-added'; none of '/log'. */
export function parametersOf(address: string): URLSearchParams {
  const mark = address.indexOf('?')
  return new URLSearchParams(mark < 0 ? '' : address.slice(mark))
}
