import type { ReactNode } from 'react'
import type { RefusedForm } from '../../ui/form/form.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { urls } from '../../urls.ts'
import { ActForm } from './act-form.tsx'
import { MOST_IN_EXCUSE } from './duty.ts'

type Props = {
  duty: number
  /** Null if it is not excused. */
  excuse: string | null
  beside?: ReactNode
  refused?: RefusedForm | undefined
  onDone?: () => void
}

/** Asks why something will not be done, or takes that back. */
export function ExcuseForm({ duty, excuse, beside = null, refused, onDone }: Props) {
  const common = { beside, ...(onDone && { onDone }) }
  if (excuse !== null && !refused)
    return (
      <ActForm
        {...common}
        action={urls.dutyAct(duty, 'expect')}
        submit="Forvent igen"
        doneText="Det forventes igen."
      />
    )
  return (
    <ActForm
      {...common}
      action={urls.dutyAct(duty, 'excuse')}
      submit="Undtag"
      doneText="Det er undtaget."
      refused={refused}
      was={{ excuse }}
      className="grid gap-3"
    >
      <TextArea
        name="excuse"
        label="Hvorfor bliver det ikke gjort?"
        help="Kun kontoret kan læse begrundelsen. Det tæller ikke længere som manglende."
        defaultValue={excuse ?? ''}
        maxLength={MOST_IN_EXCUSE}
      />
    </ActForm>
  )
}
