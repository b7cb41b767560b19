import { useEffect, useRef, useState } from 'react'
import { FieldErrors } from '../base/field-errors.ts'
import { signedOutText } from '../base/signed-out.ts'
import { isSignedOut, orNull, readJson, save as sendAll } from '../ui/overlay/request.ts'
import { urls } from '../urls.ts'
import { COLUMN_NAMES, sentText } from './sheet/cell-text.ts'
import type { CompanyReport } from './company/company.ts'
import type { Sent, Sheet } from './sheet/sheet.ts'

const FLASH_MS = 2000

/** A fault of the whole save, not of one cell. */
export type Trouble = { message: string; isSignedOut?: boolean }

type Options = {
  user: number
  sheet: Sheet
  mayLock: boolean
}

/** S7.5: saves the whole table. Whatever the answer is, nothing typed is lost. */
export function useReportSaving({ user, sheet, mayLock }: Options) {
  const [isBusy, setBusy] = useState(false)
  const [isFlashing, setFlashing] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  /** How many saves were refused. */
  const [refusals, setRefusals] = useState(0)
  /** The version that somebody else has saved meanwhile. */
  const [theirs, setTheirs] = useState<CompanyReport | null>(null)
  const busy = useRef(false)
  /** The table sent by a call whose answer was lost; it may have been saved. */
  const unknown = useRef<Sent | null>(null)
  const flashTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(flashTimer.current), [])

  function flash(): void {
    setFlashing(true)
    clearTimeout(flashTimer.current)
    flashTimer.current = setTimeout(() => setFlashing(false), FLASH_MS)
  }

  async function save(): Promise<void> {
    if (busy.current) return
    setTrouble(null)
    setFlashing(false)
    if (!sheet.isDirty) return flash()
    busy.current = true
    setBusy(true)
    try {
      await saveOnce()
    } finally {
      busy.current = false
      setBusy(false)
    }
    return undefined
  }

  async function saveOnce(): Promise<void> {
    const sent = sheet.snapshot()
    const answer = await post(urls.report(user), bodyOf(sheet, sent, mayLock))
    const { status, body } = answer
    if (status === 409 && body.report && unknown.current) {
      const lost = unknown.current
      unknown.current = null
      if (sheet.isWhatWasSent(body.report, lost)) {
        sheet.saved(body.report, lost)
        return sheet.isDirty ? saveOnce() : done()
      }
    }
    if (status === 200 && body.report) {
      sheet.saved(body.report, sent)
      return done()
    }
    if (status === 409 && body.report) return setTheirs(body.report)
    if (status === 0 || status >= 500) unknown.current = sent
    const faults = FieldErrors.from(body)
    if (status === 422) sheet.refuse(faults.errors, sent)
    // Faults that belong to no cell are shown above the table.
    const isAtCells =
      status === 422 && Object.keys(faults.errors).every((path) => path.startsWith('companies.'))
    if (!isAtCells) setTrouble(troubleOf(answer, faults.message))
    return setRefusals((before) => before + 1)
  }

  function done(): void {
    unknown.current = null
    setTheirs(null)
    flash()
  }

  /** Continues from the newest version, with or without my changes on top. */
  function decide(mode: 'mine' | 'theirs'): { dropped: number } {
    if (!theirs) return { dropped: 0 }
    const outcome = sheet.takeTheirs(theirs, mode)
    setTheirs(null)
    return outcome
  }

  return { save, isBusy, isFlashing, trouble, refusals, theirs, decide }
}

type Answer = { status: number; body: { report?: CompanyReport } }

/** Returns status 0 if the request or its answer was lost. */
async function post(address: string, form: URLSearchParams): Promise<Answer> {
  const response = await orNull(sendAll(address, form))
  const body = response && (await orNull(readJson<Answer['body'] | null>(response)))
  return { status: !response || (response.ok && !body) ? 0 : response.status, body: body ?? {} }
}

/** Sends only the cells that may be edited. */
function bodyOf(sheet: Sheet, sent: Sent, mayLock: boolean): URLSearchParams {
  const form = new URLSearchParams({ version: String(sheet.version), rows: String(sent.order.length) })
  for (const [index, { id, company, locked, editable }] of sheet.rows.entries()) {
    const name = (column: string) => `companies[${index}][${column}]`
    if (company !== null) form.append(name('id'), String(company))
    if (mayLock) form.append(name('locked'), locked ? '1' : '0')
    for (const column of COLUMN_NAMES)
      if (editable.includes(column)) form.append(name(column), sentText(column, sent.texts.get(id)![column]))
  }
  return form
}

const KEPT = 'Det, du har skrevet, står her stadig.'

function troubleOf({ status, body }: Answer, message: string): Trouble {
  if (status === 0)
    return {
      message: `Rapporten blev ikke gemt: Der er ingen forbindelse til Ringbind. ${KEPT} Prøv igen om lidt.`,
    }
  if (isSignedOut(status, body)) return { message: signedOutText('Gem'), isSignedOut: true }
  if (status >= 500 || message === '')
    return { message: `Rapporten kunne ikke gemmes. ${KEPT} Prøv igen om lidt.` }
  return { message: `Rapporten blev ikke gemt: ${message} ${status === 422 ? '' : KEPT}`.trim() }
}
