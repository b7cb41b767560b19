import { useEffect, useRef, type ReactNode } from 'react'
import type { ButtonKind } from '../ui/basic/button.tsx'
import { CheckField } from '../ui/form/check-field.tsx'
import { Field } from '../ui/form/field.tsx'
import { Form, type RefusedForm } from '../ui/form/form.tsx'
import { TextsField } from '../ui/form/texts-field.tsx'
import { ExpectsFields } from './expected/expects-fields.tsx'
import { folderValues, type Folder } from './folder.ts'

type Props = {
  action: string
  submit: string
  /** Null for a new folder. */
  folder: Folder | null
  beside?: ReactNode
  kind?: ButtonKind
  /** True if a click opened the form, so that the user can type at once. */
  takesFocus?: boolean
  refused?: RefusedForm | undefined
  onDone: (answer: { folders: Folder[]; said?: string }) => void
}

export function FolderForm({
  action,
  submit,
  folder,
  beside,
  kind = 'primary',
  takesFocus = false,
  refused,
  onDone,
}: Props) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (takesFocus) field.current?.focus()
  }, [takesFocus])
  return (
    <Form
      action={action}
      submit={submit}
      kind={kind}
      beside={beside}
      refused={refused}
      was={folder ? folderValues(folder) : undefined}
      onDone={(answer) => onDone(answer as { folders: Folder[] })}
    >
      <Field
        name="name"
        label="Navn"
        autoComplete="off"
        ref={field}
        defaultValue={refused?.values.name ?? folder?.name ?? ''}
      />
      <TextsField
        name="sub_names"
        label="Undernavne"
        help="Filer med disse navne lægges også i mappen. Tryk på Enter efter hvert."
        texts={folder?.sub_names ?? []}
      />
      <CheckField
        name="visible_to_investors"
        label="Deles med investorer"
        help="Ellers ser kun kontoret og projektets revisorer mappen."
        defaultChecked={folder?.visible_to_investors ?? false}
      />
      <ExpectsFields folder={folder} />
    </Form>
  )
}
