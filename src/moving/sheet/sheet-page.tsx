import { ArrowRight, CircleAlert, Download, Equal, Info, Pencil, Plus } from 'lucide-react'
import { formatCount } from '../../base/danish/counts.ts'
import type { ListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import { FollowedField } from '../../projects/expected/followed-field.tsx'
import { Button } from '../../ui/basic/button.tsx'
import { Chip } from '../../ui/basic/chip.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { CheckField } from '../../ui/form/check-field.tsx'
import { Form } from '../../ui/form/form.tsx'
import type { Column } from '../../ui/list/columns.ts'
import { SearchTable } from '../../ui/list/search-table.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import { ColumnForm } from './column-form.tsx'
import { countRows, countsText, type SheetCounts, type ShownRow, type WaitingSheet } from './import.ts'
import type { RowState } from './plan/plan.ts'

type SheetPageProps = {
  sheet: WaitingSheet
  page: Page<ShownRow>
  query: ListQuery
  sendsMail: boolean
  /** The office's day. */
  today: string
  /** Why it was not moved in. */
  message?: string
}

/** Shows the outcome of each row of a sheet, and imports it. */
export function SheetPage({ sheet, page, query, sendsMail, today, message }: SheetPageProps) {
  const { id, name, counts, faults, notes } = sheet
  const hasRows = ROWS.some((state) => counts[state] > 0)
  return (
    <Shell
      title="Forhåndsvisning"
      above={name}
      crumbs={[
        { text: 'Kontoret', href: urls.office },
        { text: 'Flyt ind', href: urls.import },
      ]}
    >
      <div className="mb-6 grid max-w-[720px] gap-4">
        {message && (
          <p role="alert" className="rounded-control bg-warn-soft px-3 py-2 text-warn">
            {message}
          </p>
        )}
        <Outcome {...{ sheet, sendsMail, today }} />
        {/* Drawn anew when the columns are others: the selects show what was read. */}
        <ColumnForm
          key={sheet.plan_hash}
          id={id}
          sheets={sheet.columns}
          isOpen={faults.length > 0 || counts.new + counts.changed + counts.unchanged === 0}
        />
        {notes.length > 0 && (
          <ul className="grid gap-1 text-muted">
            {notes?.map((text) => (
              <li key={text} className="flex gap-2 wrap-anywhere">
                <Info size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
                <span className="min-w-0">{text}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
      {(hasRows || faults.length === 0) && (
        <SearchTable
          caption="Rækker i arket"
          search="Søg efter navn, nummer eller e-mail"
          route={urls.listSheetRows(id)}
          sorts={NO_SORTS}
          filters={filtersOf(counts)}
          columns={COLUMNS}
          page={page}
          query={query}
          none="Ingen rækker"
        />
      )}
    </Shell>
  )
}

const NO_SORTS: string[] = []
const ROWS: readonly RowState[] = ['wrong', 'new', 'changed', 'unchanged']

const STATES: Record<
  RowState,
  { text: string; many: string; icon: typeof Plus; tone: 'ok' | 'accent' | 'warn' | 'neutral' }
> = {
  wrong: { text: 'Forkert', many: 'Forkerte', icon: CircleAlert, tone: 'warn' },
  new: { text: 'Ny', many: 'Nye', icon: Plus, tone: 'ok' },
  changed: { text: 'Ændret', many: 'Ændrede', icon: Pencil, tone: 'accent' },
  unchanged: { text: 'Uændret', many: 'Uændrede', icon: Equal, tone: 'neutral' },
}

const filtersOf = (counts: SheetCounts) =>
  Object.fromEntries(ROWS.map((state) => [state, `${STATES[state].many} (${formatCount(counts[state])})`]))

/** What to do next: correct the sheet, nothing, or import. */
function Outcome({ sheet, sendsMail, today }: Pick<SheetPageProps, 'sheet' | 'sendsMail' | 'today'>) {
  const { id, counts, faults } = sheet
  const taken = counts.new + counts.changed
  if (faults.length > 0 || (counts.wrong > 0 && taken === 0)) return <Wrong sheet={sheet} />
  if (counts.new + counts.changed === 0)
    return (
      <div className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-line bg-surface p-4">
        <p>Alt i arket er i Ringbind allerede.</p>
        <Discard id={id} />
      </div>
    )
  return (
    <section className="rounded-card border border-line bg-surface p-4 sm:p-6">
      <Form
        action={urls.sheet(id)}
        submit={counts.wrong > 0 ? `Flyt ${countRows(taken)} ind` : 'Flyt ind'}
        loadingText="Flytter ind…"
        doneText={`Flyttet ind: ${countsText(counts)}.${counts.wrong > 0 ? ` ${countRows(counts.wrong)} kom ikke med.` : ''}`}
        beside={<DiscardButton id={id} />}
      >
        <input type="hidden" name="plan" value={sheet.plan_hash} />
        <p>
          <span className="font-medium">Arket giver {countsText(counts)}.</span> Intet er gemt endnu.
        </p>
        {counts.newProjects > 0 && <FollowedField today={today} />}
        {counts.wrong > 0 && <LeftOut id={id} wrong={counts.wrong} />}
        {counts.employees > 0 && (
          <p className="rounded-control bg-warn-soft px-3 py-2 text-warn">
            {`${formatCount(counts.employees)} ${counts.employees === 1 ? 'ny medarbejder' : 'nye medarbejdere'} kommer til at se alle projekter og alle personers filer.`}
          </p>
        )}
        {counts.newPeople > 0 && sendsMail && (
          <CheckField
            name="invite"
            label={`Send en invitation til ${counts.newPeople === 1 ? 'den nye person' : `de ${formatCount(counts.newPeople)} nye personer`}`}
            help="Du kan fortryde, indtil de bliver sendt, eller invitere alle bagefter."
            defaultChecked={false}
          />
        )}
      </Form>
      <DiscardForm id={id} />
    </section>
  )
}

/** Says how many rows are left out, and offers them for download. */
function LeftOut({ id, wrong }: { id: number; wrong: number }) {
  return (
    <div className="grid gap-2 rounded-control bg-warn-soft px-3 py-2 text-warn">
      <p>
        {`${countRows(wrong)} er ${wrong === 1 ? 'forkert og bliver' : 'forkerte og bliver'} ikke taget med. Hent ${wrong === 1 ? 'den' : 'dem'} som et ark: Den sidste kolonne siger, hvad der er galt.`}
      </p>
      <div>
        <Rest id={id} wrong={wrong} />
      </div>
    </div>
  )
}

const Rest = ({ id, wrong }: { id: number; wrong: number }) => (
  <LinkButton kind="secondary" href={urls.sheetRest(id)} icon={Download} download>
    Hent {wrong === 1 ? 'rækken' : `de ${countRows(wrong)}`}
  </LinkButton>
)

function Wrong({ sheet: { id, counts, faults } }: { sheet: WaitingSheet }) {
  const rows = counts.wrong
  return (
    <section className="grid gap-3 rounded-card border border-line bg-surface p-4 sm:p-6">
      <h2 className="flex gap-2 font-semibold text-danger">
        <CircleAlert size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
        {rows > 0
          ? `${formatCount(rows)} ${rows === 1 ? 'række er forkert' : 'rækker er forkerte'}. Intet er gemt.`
          : 'Arket kan ikke bruges, som det er. Intet er gemt.'}
      </h2>
      {faults.length > 0 && (
        <ul className="grid list-disc gap-1 pl-6 wrap-anywhere">
          {faults.slice(0, 50).map((text) => (
            <li key={text}>{text}</li>
          ))}
          {faults.length > 50 && <li>{`Og ${formatCount(faults.length - 50)} andre.`}</li>}
        </ul>
      )}
      <p className="text-muted">Ret arket, og upload det igen. Hver fejl står ved sin celle.</p>
      <div className="flex flex-wrap gap-3">
        {rows > 0 && faults.length === 0 && <Rest id={id} wrong={rows} />}
        <Discard id={id} />
      </div>
    </section>
  )
}

const formOf = (id: number) => `discard-${id}`

/** A button beside another form's own, which belongs to a form of its own. */
const DiscardButton = ({ id }: { id: number }) => (
  <Button type="submit" form={formOf(id)} kind="secondary">
    Upload et andet ark
  </Button>
)

function DiscardForm({ id }: { id: number }) {
  const { token } = useFrame()
  return (
    <form id={formOf(id)} method="post" action={urls.discardSheet(id)}>
      <input type="hidden" name="_token" value={token} />
    </form>
  )
}

const Discard = ({ id }: { id: number }) => (
  <div>
    <DiscardForm id={id} />
    <DiscardButton id={id} />
  </div>
)

const COLUMNS: Column<ShownRow>[] = [
  {
    text: 'Hvor',
    name: 'place',
    class: '@max-list:hidden w-px whitespace-nowrap align-top text-muted',
  },
  { text: 'Hvem', name: 'label', class: 'min-w-44 align-top', value: (row) => <Who row={row} /> },
  {
    text: 'Hvad',
    name: 'state',
    class: '@max-list:hidden w-px whitespace-nowrap align-top',
    value: ({ state }) => <State state={state} />,
  },
  {
    text: 'Ændringer',
    name: 'changes',
    class: '@max-list:hidden align-top',
    value: (row) => <What row={row} />,
  },
]

function State({ state }: { state: RowState }) {
  const { text, icon, tone } = STATES[state]
  return <Chip text={text} icon={icon} tone={tone} />
}

function Who({ row }: { row: ShownRow }) {
  return (
    <>
      <span className="block font-medium wrap-anywhere">{row.label || 'Uden navn'}</span>
      <span className="block text-meta text-muted wrap-anywhere">{row.key}</span>
      <div className="mt-2 grid gap-2 @list:hidden">
        <span className="flex flex-wrap items-center gap-2 text-meta text-muted">
          <State state={row.state} />
          {row.place}
        </span>
        <What row={row} />
      </div>
    </>
  )
}

function What({ row: { changes, faults, notes, state } }: { row: ShownRow }) {
  if (faults.length > 0)
    return (
      <ul className="grid gap-1">
        {faults.map(({ place, text }) => (
          <li key={place + text} className="wrap-anywhere">
            <span className="font-medium text-danger">{place}:</span> {text}
          </li>
        ))}
      </ul>
    )
  return (
    <ul className="grid gap-1">
      {changes.map(({ what, before, after }) => (
        <li key={what} className="flex flex-wrap items-center gap-x-2 wrap-anywhere">
          <span className="text-muted">{what}:</span>
          {state === 'changed' && (
            <>
              <span className={before === '' ? 'text-muted' : ''}>{before || 'tom'}</span>
              <ArrowRight
                size={16}
                strokeWidth={1.75}
                aria-label="bliver til"
                className="shrink-0 text-muted"
              />
            </>
          )}
          <span>{after}</span>
        </li>
      ))}
      {notes?.map((text) => (
        <li key={text} className="text-muted wrap-anywhere">
          {text}
        </li>
      ))}
    </ul>
  )
}
