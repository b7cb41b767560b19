import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { EVERYTHING } from '../base/list-query.ts'
import type { Sort } from '../base/sort.ts'
import type { Column } from '../ui/list/columns.ts'
import { IconButton } from '../ui/icon/icon-button.tsx'
import { Pager } from '../ui/list/pager.tsx'
import { SearchBox } from '../ui/form/search-box.tsx'
import { Table } from '../ui/list/table.tsx'
import { Example } from './example.tsx'

type Company = {
  id: number
  name: string
  cvr: string | null
  contribution: number | null
  equity: number
  founded: string
  size: number
}

const COMPANIES: Company[] = [
  {
    id: 1,
    name: 'K/S Logistik Taulov',
    cvr: '39904411',
    contribution: 250_000,
    equity: 21_300_000,
    founded: '2019-03-31T22:30:00Z',
    size: 1536,
  },
  {
    id: 2,
    name: 'K/S Østerbro Ejendomme',
    cvr: null,
    contribution: null,
    equity: -125_000,
    founded: '2021-06-01T10:00:00Z',
    size: 0,
  },
  {
    id: 3,
    name: 'K/S Vindpark Nørrekær',
    cvr: '40112987',
    contribution: 90_000,
    equity: 8_750_000,
    founded: '2016-12-31T23:30:00Z',
    size: 2_485_123,
  },
]

/** Uses every property that a column can have. */
const COLUMNS: Column<Company>[] = [
  { text: 'Selskab', name: 'name', draggable: true, class: 'min-w-44', placeholder: 'Selskabets navn' },
  {
    text: 'CVR-nr.',
    name: 'cvr',
    align: 'center',
    class: 'min-w-28 whitespace-nowrap text-muted',
    placeholder: 'intet',
  },
  { text: 'Indskud', name: 'contribution', type: 'currency', min: 0, placeholder: '0' },
  { text: 'Egenkapital', name: 'equity', type: 'currency' },
  { text: 'Bilag', name: 'size', type: 'bytes', colspan: 2, sortable: false, align: 'left' },
  { text: '', name: 'founded', type: 'date' },
  {
    text: 'Handlinger',
    name: 'actions',
    type: 'actions',
    align: 'right',
    value: ({ name }) => (
      <span className="flex justify-end">
        <IconButton label={`Rediger ${name}`} icon={Pencil} href="#tabel" />
      </span>
    ),
  },
]

export function TableExamples() {
  const [rows, setRows] = useState(COMPANIES)
  const [sort, setSort] = useState<Sort | null>(null)
  const [page, setPage] = useState(7)
  const [text, setText] = useState('')

  function sortBy(next: Sort): void {
    setSort(next)
    const key = next.column as 'name' | 'equity'
    const order = (a: Company, b: Company) =>
      a[key] === b[key] ? 0 : (a[key] ?? '') < (b[key] ?? '') ? -1 : 1
    const sorted = rows.toSorted(order)
    setRows(next.direction === 'asc' ? sorted : sorted.toReversed())
  }

  function move(from: number, to: number): void {
    setRows(rows.toSpliced(from, 1).toSpliced(to, 0, rows[from]!))
  }

  return (
    <>
      <Example title="Tabel">
        <div className="w-full overflow-x-auto">
          <Table
            caption="Selskaber"
            columns={COLUMNS}
            rows={rows}
            total={12}
            sorting={{ now: sort, hrefOf: () => '#tabel', onSort: sortBy }}
            onMove={move}
          />
        </div>
      </Example>
      <Example title="Tabel, der hentes igen, og en tom">
        <div className="grid w-full gap-4 lg:grid-cols-2">
          <Table
            caption="Hentes"
            columns={COLUMNS.slice(0, 2)}
            rows={COMPANIES.slice(0, 2)}
            total={2}
            isBusy
          />
          <Table caption="Tom" columns={COLUMNS.slice(0, 2)} rows={[]} total={0} />
        </div>
      </Example>
      <Example title="Søgefelt og sider">
        <SearchBox label="Søg i galleriet" text={text} onType={setText} onSearch={setText} />
        <Pager
          info={{
            current_page: page,
            prev_page: page > 1 ? page - 1 : null,
            next_page: page < 13 ? page + 1 : null,
            first_page: EVERYTHING.page,
            last_page: 13,
            from: 1,
            to: 25,
            per_page: 25,
            total: 312,
          }}
          hrefOf={(number) => `#side-${number}`}
          onTurn={setPage}
        />
      </Example>
    </>
  )
}
