import { useId } from 'react'
import type { Column, TableRow } from './columns.ts'
import { useForm } from './form.tsx'

type Props<Row extends TableRow> = {
  name: string
  index: number
  row: Row
  column: Column<Row>
  /** S5.8 */
  path: string
}

/** A cell that is written in. What the server says of it stands in it, by the path `name.index.column`. */
export function TableField<Row extends TableRow>({ name, index, row, column, path }: Props<Row>) {
  const { errors, clear } = useForm()
  const faultId = useId()
  const faults = errors.get(path)
  const value = (row as Record<string, unknown>)[column.name] as string | number | null | undefined
  return (
    <>
      <input
        name={`${name}[${index}][${column.name}]`}
        defaultValue={value ?? ''}
        placeholder={column.placeholder}
        aria-label={`${column.text}, række ${index + 1}`}
        aria-invalid={faults.length > 0 || undefined}
        aria-describedby={faults.length > 0 ? faultId : undefined}
        onInput={() => clear(path)}
        className="cell-field"
      />
      {faults.length > 0 && (
        <p id={faultId} className="px-2 pb-1 text-meta text-danger">
          {faults.join(' ')}
        </p>
      )}
    </>
  )
}
