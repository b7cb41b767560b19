import { useId } from 'react'
import type { Column, TableRow } from './columns.ts'
import { CurrencyInput } from '../form/currency-input.tsx'
import { useForm } from '../form/form.tsx'

type Props<Row extends TableRow> = { name: string; index: number; row: Row; column: Column<Row> }

/** A cell that is written in: a text or an amount. What the server says of it stands in it. */
export function TableField<Row extends TableRow>({ name, index, row, column }: Props<Row>) {
  const { errors, clear } = useForm()
  const faultId = useId()
  const faults = errors.get(name)
  const value = (row as Record<string, unknown>)[column.name]
  const shared = {
    name,
    'aria-label': `${column.text}, række ${index + 1}`,
    ...(column.placeholder !== undefined && { placeholder: column.placeholder }),
  }
  if (column.type === 'currency' || column.type === 'number')
    return (
      <CurrencyInput
        {...shared}
        value={value as number | null}
        {...(column.min !== undefined && { min: column.min })}
      />
    )
  return (
    <>
      <input
        {...shared}
        defaultValue={(value as string | null) ?? ''}
        aria-invalid={faults.length > 0 || undefined}
        aria-describedby={faults.length > 0 ? faultId : undefined}
        onInput={() => clear(name)}
        className="cell-field"
      />
      {faults.length > 0 && (
        <p id={faultId} className="px-2 text-meta text-danger">
          {faults.join(' ')}
        </p>
      )}
    </>
  )
}
