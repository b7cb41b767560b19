import { cleanCvr, isCvr } from '../../base/cvr.ts'
import { formatMoney } from '../../base/money.ts'
import { cleanLine, rawLength } from '../../base/text.ts'
import { COLUMNS, MOST_KRONER, type CompanyColumn, type CompanyValues } from './company.ts'

/** A parsed row of the form. `values` holds only the columns that were sent. */
export type SentRow = {
  /** The index in the field names: `companies[7][name]`. */
  index: string
  /** Null for a new row. */
  id: number | null
  /** Undefined if not sent. */
  locked: boolean | undefined
  values: Partial<CompanyValues>
}

export type Faults = Record<string, string[]>

type Read = { value: string | number | null } | { fault: string }

/** A parsed form. `version` is NaN if none was sent. */
export type SentReport = { version: number; rows: SentRow[]; faults: Faults }

/**
 * Parses a form and collects each cell's fault under `companies.<index>.<column>`. The rows are ordered by index;
 * yields before each, so that other work gets a turn. `rows` tells how many there are: without it an empty form is
 * refused, and so is a form that was cut off.
 */
export function* checkReport(body: Readonly<Record<string, unknown>>): Generator<undefined, SentReport> {
  const faults: Faults = {}
  const version = readCount(body.version)
  if (Number.isNaN(version)) faults.version = ['Siden er ikke hentet rigtigt. Genindlæs den, og prøv igen.']
  const entries = rowsOf(body.companies)
  const isBroken = entries.some(([index]) => !/^(?:0|[1-9]\d{0,8})$/.test(index))
  if (isBroken) return { version, rows: [], faults: { ...faults, companies: ['Rækkerne kan ikke læses.'] } }
  if ((body.rows !== undefined || entries.length === 0) && readCount(body.rows) !== entries.length)
    faults.rows = ['Rapporten kom ikke helt frem. Genindlæs siden, og prøv igen.']
  const rows: SentRow[] = []
  for (const [index, sent] of entries.toSorted(([one], [other]) => Number(one) - Number(other))) {
    yield
    rows.push(checkRow(index, sent, faults))
  }
  return { version, rows, faults }
}

/** Returns the rows of the form by their index, unchecked. */
export function rowsOf(companies: unknown): [index: string, sent: unknown][] {
  return typeof companies === 'object' && companies !== null ? Object.entries(companies) : []
}

/** Returns NaN if it is no count. */
function readCount(sent: unknown): number {
  const text = typeof sent === 'number' ? String(sent) : sent
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : NaN
}

// At most this many unknown columns of a row are reported: only a made-up form has more.
const MOST_UNKNOWN = 20

const NAMES = new Set<string>([...COLUMNS.map(({ name }) => name), 'id', 'locked'])

function checkRow(index: string, sent: unknown, faults: Faults): SentRow {
  const row: SentRow = { index, id: null, locked: undefined, values: {} }
  const at = (column: string, fault: string) => (faults[`companies.${index}.${column}`] = [fault])
  if (!isObject(sent)) {
    at('name', 'Rækken kan ikke læses.')
    return row
  }
  const unknown = Object.keys(sent).filter((name) => !NAMES.has(name))
  for (const name of unknown.slice(0, MOST_UNKNOWN)) at(name.slice(0, 100), 'Kolonnen findes ikke.')

  const id = readId(sent.id)
  if (id === undefined) at('id', 'Rækkens id kan ikke læses.')
  else row.id = id

  const locked = readFlag(sent.locked)
  if (locked === null) at('locked', 'Feltet skal være slået til eller fra.')
  else row.locked = locked

  const isNew = sent.id === undefined || sent.id === null || sent.id === ''
  for (const { name: column } of COLUMNS) {
    if (sent[column] === undefined && !(isNew && column === 'name')) continue
    const read = readCell(column, sent[column] ?? '')
    if ('fault' in read) at(column, read.fault)
    else Object.assign(row.values, { [column]: read.value })
  }
  return row
}

/**
 * Parses a cell in the sent notation: '12.5' or 12.5, or nothing. Never in Danish notation, so '1.250' is not 1250.
 */
export function readCell(column: CompanyColumn, sent: unknown): Read {
  if (column === 'name') return readName(sent)
  if (column === 'cvr') return readCvr(sent)
  if (column === 'share') return readShare(sent)
  if (column === 'year') return readYear(sent)
  return readKroner(sent, column === 'equity' || column === 'result')
}

const MOST_LETTERS = 200
const TOO_LONG = `Navnet må højst være på ${MOST_LETTERS} tegn.`
const NO_CVR = 'CVR-nummeret er ikke gyldigt. Kontroller de otte cifre.'

function readName(sent: unknown): Read {
  if (typeof sent !== 'string') return { fault: 'Navnet skal være en tekst.' }
  if (sent.length > rawLength(MOST_LETTERS)) return { fault: TOO_LONG }
  const value = cleanLine(sent)
  if (value === '') return { fault: 'Navnet skal udfyldes.' }
  return value.length > MOST_LETTERS ? { fault: TOO_LONG } : { value }
}

function readCvr(sent: unknown): Read {
  if (typeof sent !== 'string') return { fault: 'CVR-nummeret skal være en tekst.' }
  if (sent.length > rawLength(20)) return { fault: NO_CVR }
  const cvr = cleanCvr(cleanLine(sent))
  if (cvr === '') return { value: null }
  return isCvr(cvr) ? { value: cvr } : { fault: NO_CVR }
}

function readShare(sent: unknown): Read {
  const digits = digitsOf(sent)
  if (digits === null) return { value: null }
  if (digits === undefined) return { fault: 'Ejerandelen skal være et tal.' }
  const value = numberOf(digits)
  if (value < 0 || value > 100) return { fault: 'Ejerandelen skal være mellem 0 og 100 %.' }
  return digits.fraction.replace(/0+$/, '').length > 4
    ? { fault: 'Ejerandelen må højst have fire decimaler.' }
    : { value }
}

function readYear(sent: unknown): Read {
  const digits = digitsOf(sent)
  if (digits === null) return { value: null }
  const isYear = digits !== undefined && /^\d{4}$/.test(digits.whole) && digits.fraction === ''
  const value = isYear ? numberOf(digits) : NaN
  return value >= 1800 && value <= 2199
    ? { value }
    : { fault: 'Regnskabsåret skal være et årstal mellem 1800 og 2199.' }
}

const MOST = `${formatMoney(MOST_KRONER)} kr.`

function readKroner(sent: unknown, mayBeNegative: boolean): Read {
  const digits = digitsOf(sent)
  if (digits === null) return { value: null }
  if (digits === undefined) return { fault: 'Beløbet skal være et tal.' }
  if (digits.fraction !== '') return { fault: 'Beløbet skal være i hele kroner.' }
  const value = numberOf(digits)
  if (value < 0 && !mayBeNegative) return { fault: 'Beløbet må ikke være negativt.' }
  if (value > MOST_KRONER) return { fault: `Beløbet må højst være ${MOST}` }
  return value < -MOST_KRONER ? { fault: `Beløbet må mindst være -${MOST}` } : { value }
}

/** Longer than any amount with its sign, decimals and some spaces. */
const MOST_SIGNS = 1000

type Digits = { sign: string; whole: string; fraction: string }

/** Returns null if the cell is empty, undefined if it is no plain number. */
function digitsOf(sent: unknown): Digits | null | undefined {
  const text = typeof sent === 'number' && Number.isFinite(sent) ? PLAIN.format(sent) : sent
  if (text === null) return null
  if (typeof text !== 'string' || text.length > MOST_SIGNS) return undefined
  const line = text.trim()
  if (line === '') return null
  const match = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?$/.exec(line)
  if (!match) return undefined
  const { sign = '', whole = '', fraction = '' } = match.groups!
  return { sign, whole, fraction }
}

// JSON numbers such as 1e21 and 1e-7 are written out and then parsed like the others.
const PLAIN = new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 20 })

const numberOf = ({ sign, whole, fraction }: Digits) => Number(`${sign}${whole}.${fraction}`) + 0 // never -0

/** Returns null for a new row, undefined if it is no id. */
function readId(sent: unknown): number | null | undefined {
  if (sent === undefined || sent === null || sent === '') return null
  const id =
    typeof sent === 'number' || (typeof sent === 'string' && /^\d{1,16}$/.test(sent)) ? Number(sent) : NaN
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** Returns undefined if not sent, null if it is neither on nor off. */
function readFlag(sent: unknown): boolean | null | undefined {
  if (sent === undefined || typeof sent === 'boolean') return sent
  if (sent === '1' || sent === 'true' || sent === 'on') return true
  return sent === '0' || sent === 'false' || sent === '' ? false : null
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
