import { letterOf } from '../../report/workbook.ts'
import { Form } from '../../ui/form/form.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { urls } from '../../urls.ts'
import { columnName, kindName } from './read/column-choice.ts'
import { fieldsOf, SHEET_KINDS, type SheetColumns } from './read/sheet-columns.ts'

type Props = { id: number; sheets: readonly SheetColumns[]; isOpen: boolean }

const UNUSED = { value: '', text: 'Bruges ikke' }

/** Lets the office choose the field of each column. Ringbind's guess is selected at first. */
export function ColumnForm({ id, sheets, isOpen }: Props) {
  if (sheets.length === 0) return null
  return (
    <details open={isOpen} className="rounded-card border border-line bg-surface p-4 sm:p-6">
      <summary className="min-h-6 cursor-pointer font-semibold">Vælg, hvilken kolonne der er hvad</summary>
      <Form
        action={urls.sheetColumns(id)}
        submit="Brug kolonnerne"
        kind="secondary"
        loadingText="Læser…"
        beside={null}
        className="mt-4 grid gap-6"
      >
        {sheets.map((sheet) => (
          <fieldset key={sheet.table} className="grid gap-4">
            <legend className="mb-2 font-medium wrap-anywhere">{sheet.name}</legend>
            <SelectField
              name={kindName(sheet.table)}
              label="Hver række er"
              defaultValue={sheet.kind ?? ''}
              options={[...SHEET_KINDS.map((kind) => ({ value: kind, text: ROW_NAMES[kind] })), UNUSED]}
            />
            {sheet.kind !== null && (
              <ul className="grid gap-4 sm:grid-cols-2">
                {sheet.columns.map(({ at, heading, field, samples }) => (
                  <li key={at} className="grid content-start gap-1">
                    <SelectField
                      name={columnName(sheet.table, at)}
                      label={heading || `Kolonne ${letterOf(at)}`}
                      defaultValue={field ?? ''}
                      options={[
                        UNUSED,
                        ...fieldsOf(sheet.kind!).map((each) => ({ value: each.field, text: each.heading })),
                      ]}
                    />
                    <p className="text-meta text-muted wrap-anywhere">{samples.join(' · ') || 'Tom'}</p>
                  </li>
                ))}
              </ul>
            )}
          </fieldset>
        ))}
      </Form>
    </details>
  )
}

const ROW_NAMES = { projects: 'Et projekt', people: 'En person' } as const
