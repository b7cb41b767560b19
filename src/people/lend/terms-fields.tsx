import { useId, useState } from 'react'
import { lastDayOf } from '../../access/lent.ts'
import { Faults } from '../../ui/basic/faults.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { CheckField } from '../../ui/form/check-field.tsx'
import { DateField } from '../../ui/form/date-field.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import type { Lending } from './lending.ts'

export type LenderInForm = { id: number; name: string; isOwn: boolean; isActive: boolean }

type Props = {
  lender: LenderInForm
  /** The names to choose from. */
  folders: string[]
  /** Null for new access. */
  lending: Lending | null
}

/** The fields that say what is lent, until when, and whether mails come with it. */
export function TermsFields({ lender, folders, lending }: Props) {
  const { isOwn, name } = lender
  return (
    <>
      <SelectField
        name="what"
        label="Kan se"
        defaultValue={lending && !lending.is_everything ? 'chosen' : 'everything'}
        options={[
          { value: 'everything', text: isOwn ? 'Alt, hvad jeg kan se' : `Alt, hvad ${name} kan se` },
          { value: 'chosen', text: isOwn ? 'Kun det, jeg vælger' : 'Kun det, der er valgt' },
        ]}
      />
      <div className="hidden group-has-[option[value=chosen]:checked]:grid">
        <Chosen lender={lender} folders={folders} lending={lending} />
      </div>
      <UntilField until={lending?.until ?? null} />
      <CheckField
        name="mails"
        label="Send også mails om nye filer"
        help={isOwn ? 'De samme mails, som du får.' : 'De samme mails, som investoren får.'}
        defaultChecked={lending?.gets_mails ?? false}
      />
    </>
  )
}

function Chosen({ lender, folders, lending }: Props) {
  const id = useId()
  const { errors, clear, values } = useForm()
  const faults = errors.get('folders')
  const wasSent = Object.keys(values).length > 0
  const isChosen = (name: string, index: number) =>
    wasSent ? `folders[${index}]` in values : (lending?.folder_names.includes(name) ?? false)
  return (
    <fieldset
      aria-describedby={faults.length > 0 ? `${id}-fault` : undefined}
      className="grid gap-3 rounded-control border border-line p-4"
    >
      <legend className="px-1 font-medium">Mapper i {lender.isOwn ? 'mine' : 'investorens'} projekter</legend>
      <ul className="columns-[14rem] gap-x-6">
        {folders.map((name, index) => (
          <li key={name} className="flex break-inside-avoid items-start gap-2 py-1">
            <input
              id={`${id}-${index}`}
              type="checkbox"
              name={`folders[${index}]`}
              value={name}
              data-faults="folders"
              defaultChecked={isChosen(name, index)}
              aria-invalid={faults.length > 0 || undefined}
              onChange={() => clear('folders')}
              className="mt-0.5"
            />
            <label htmlFor={`${id}-${index}`} className="min-w-0 wrap-anywhere">
              {name}
            </label>
          </li>
        ))}
      </ul>
      <CheckField
        name="own_files"
        label={lender.isOwn ? 'Mine filer' : 'Investorens egne filer'}
        help={
          lender.isOwn
            ? 'Dem, kontoret har lagt til dig, og dem, du har sendt.'
            : 'Dem, kontoret har lagt til investoren, og dem, investoren har sendt.'
        }
        defaultChecked={lending?.with_own_files ?? false}
      />
      <Faults id={`${id}-fault`} faults={faults} />
    </fieldset>
  )
}

function UntilField({ until }: { until: string | null }) {
  const { timeZone } = useFrame()
  const { errors, clear, values } = useForm()
  const [day, setDay] = useState(() => (until === null ? null : lastDayOf(until, timeZone)))
  return (
    <div className="max-w-60">
      <DateField
        name="until"
        label="Til og med (kan udelades)"
        choose="Vælg den sidste dag"
        value={day}
        sent={values.until}
        fault={errors.get('until')[0] ?? null}
        onChange={(next) => {
          setDay(next)
          clear('until')
        }}
      />
    </div>
  )
}
