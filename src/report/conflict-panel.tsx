import { TriangleAlert } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { Button } from '../ui/basic/button.tsx'
import { COLUMN_NAMES, type Texts } from './sheet/cell-text.ts'
import { COLUMNS, type CompanyReport } from './company/company.ts'
import type { By, CellDifference, Difference } from './sheet/differences.ts'
import { useOfSheet, useSheet } from './sheet/use-sheet.ts'

const CONFLICT_ID = 'konflikt'

/** At most this many companies are shown; the rest are counted. */
const MOST_SHOWN = 20

const BY: Record<By, string> = { me: 'Dig', them: 'En anden', both: 'Jer begge' }

type Props = { theirs: CompanyReport; onDecide: (mode: 'mine' | 'theirs') => void }

/** Shown when somebody else has saved meanwhile: compares both versions and lets the user choose. */
export function ConflictPanel({ theirs, onDecide }: Props) {
  const { sheet } = useSheet()
  const rows = useOfSheet(sheet, 'rows', () => sheet.rows)
  // Does not follow further typing. The choice applies to the text present at that time.
  const differences = useMemo(
    () => (rows.length >= 0 ? sheet.differencesTo(theirs) : []),
    [sheet, theirs, rows],
  )
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const more = differences.length - MOST_SHOWN
  return (
    <section
      aria-labelledby={CONFLICT_ID}
      className="grid gap-4 rounded-card border border-line bg-warn-soft p-4 print:hidden"
    >
      <div className="grid gap-1 text-warn">
        <h2
          ref={heading}
          id={CONFLICT_ID}
          tabIndex={-1}
          className="flex gap-2 text-section font-semibold outline-none"
        >
          <TriangleAlert size={20} strokeWidth={1.75} aria-hidden="true" className="mt-0.5 shrink-0" />
          En anden har gemt rapporten, mens du skrev
        </h2>
        <p>Dine ændringer er ikke gemt. Intet overskrives, før du selv gemmer.</p>
      </div>
      {differences.length > 0 ? (
        <div className="overflow-clip rounded-control border border-line bg-surface">
          <table className="w-full table-fixed border-separate border-spacing-0 max-sm:text-meta">
            <caption className="sr-only">Forskelle mellem din udgave og den nyeste</caption>
            <thead>
              <tr>
                {['Selskab og felt', 'Din udgave', 'Den nyeste', 'Ændret af'].map((text) => (
                  <th
                    key={text}
                    scope="col"
                    className="border-b border-line bg-sunken px-3 py-2 text-left text-meta font-normal text-muted first:w-[30%] last:w-[18%] max-sm:px-1.5"
                  >
                    {text}
                  </th>
                ))}
              </tr>
            </thead>
            {differences.slice(0, MOST_SHOWN).map((difference) => (
              <Company key={difference.key} difference={difference} />
            ))}
          </table>
        </div>
      ) : (
        <p>Cellerne er ens. Kun rækkefølgen er forskellig.</p>
      )}
      {more > 0 && (
        <p>
          og {more} {more === 1 ? 'selskab' : 'selskaber'} til.
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="button" onClick={() => onDecide('mine')}>
          Behold mine ændringer
        </Button>
        <Button type="button" kind="secondary" onClick={() => onDecide('theirs')}>
          Brug den nyeste
        </Button>
      </div>
      <p className="text-meta">
        <strong className="font-medium">Behold mine ændringer</strong>: resten bliver som i den nyeste.{' '}
        <strong className="font-medium">Brug den nyeste</strong>: dine ændringer kasseres.
      </p>
    </section>
  )
}

const CELL = 'border-b border-line px-3 py-1.5 align-top wrap-break-word max-sm:px-1.5'

function Company({ difference }: { difference: Difference }) {
  const { name, kind } = difference
  return (
    <tbody>
      <tr>
        <th
          scope="rowgroup"
          colSpan={4}
          className="border-b border-line px-3 py-1.5 text-left font-medium wrap-anywhere"
        >
          {name || 'Uden navn'}
        </th>
      </tr>
      {kind === 'changed' ? (
        difference.cells.map((cell) => <Cell key={cell.column} cell={cell} />)
      ) : (
        <tr>
          <td className={`${CELL} pl-6 text-muted max-sm:pl-3`}>
            {kind === 'added' ? 'Ny række' : 'Slettet række'}
          </td>
          <td className={CELL}>{hasMine(difference) ? contentOf(difference.texts) : 'Ikke i rapporten'}</td>
          <td className={CELL}>{hasMine(difference) ? 'Ikke i rapporten' : contentOf(difference.texts)}</td>
          <td className={CELL}>{BY[difference.by]}</td>
        </tr>
      )}
    </tbody>
  )
}

function Cell({ cell: { column, mine, theirs, by } }: { cell: CellDifference }) {
  return (
    <tr>
      <td className={`${CELL} pl-6 text-muted max-sm:pl-3`}>
        {column === 'locked' ? 'Lås' : COLUMNS.find(({ name }) => name === column)!.text}
      </td>
      <td className={`${CELL} tabular-nums ${by === 'them' ? 'text-muted' : 'font-medium'}`}>
        {mine || 'Tom'}
      </td>
      <td className={`${CELL} tabular-nums ${by === 'me' ? 'text-muted' : 'font-medium'}`}>
        {theirs || 'Tom'}
      </td>
      <td className={CELL}>{BY[by]}</td>
    </tr>
  )
}

/** Whether the row is in my version. */
const hasMine = ({ kind, by }: Extract<Difference, { texts: Texts }>) => (kind === 'added') === (by === 'me')

function contentOf(texts: Texts): string {
  const said = COLUMN_NAMES.slice(1)
    .filter((column) => texts[column] !== '')
    .map((column) => `${COLUMNS.find(({ name }) => name === column)!.text} ${texts[column]}`)
  return said.length > 0 ? said.join(' · ') : 'Kun navnet'
}
