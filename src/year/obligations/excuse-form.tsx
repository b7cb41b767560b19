import type { ReactNode } from 'react'
import { useFrame } from '../../ui/basic/frame.ts'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { urls } from '../../urls.ts'
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
  const { url } = useFrame()
  const common = { beside, kind: 'secondary', ...(onDone && { onDone }) } as const
  const next = <input type="hidden" name="next" value={url} />
  if (excuse !== null && !refused)
    return (
      <Form
        {...common}
        action={urls.dutyAct(duty, 'expect')}
        submit="Forvent igen"
        doneText="Det forventes igen."
      >
        {next}
      </Form>
    )
  return (
    <Form
      {...common}
      action={urls.dutyAct(duty, 'excuse')}
      submit="Undtag"
      doneText="Det er undtaget."
      refused={refused}
      was={{ excuse }}
      className="grid gap-3"
    >
      {next}
      <TextArea
        name="excuse"
        label="Hvorfor bliver det ikke gjort?"
        help="Kun kontoret kan læse begrundelsen. Det tæller ikke længere som manglende."
        defaultValue={excuse ?? ''}
        maxLength={MOST_IN_EXCUSE}
      />
    </Form>
  )
}
