import { useState } from 'react'
import { Button } from '../ui/basic/button.tsx'
import { DateField } from '../ui/form/date-field.tsx'
import { Field } from '../ui/form/field.tsx'
import { Form } from '../ui/form/form.tsx'
import { urls } from '../urls.ts'
import { Example } from './example.tsx'

export function FormExamples() {
  return (
    <>
      <Example title="Knapper">
        <Button>Primær</Button>
        <Button kind="secondary">Sekundær</Button>
        <Button kind="quiet">Stille</Button>
        <Button kind="danger">Slet</Button>
        <Button loading>Gem</Button>
        <Button flash="Gemt">Gem</Button>
      </Example>
      <Example title="Formular, der bliver på siden">
        <div className="w-full max-w-[360px]">
          <Form action={urls.gallery} submit="Gem" flash="Gemt">
            <Field name="name" label="Navn" help="Lad feltet stå tomt for at se en fejl." />
            <Field name="note" label="Bemærkning" />
          </Form>
        </div>
      </Example>
      <Example title="Dato">
        <div className="w-full max-w-[360px]">
          <Day />
        </div>
      </Example>
    </>
  )
}

function Day() {
  const [day, setDay] = useState<string | null>('2026-11-15')
  return (
    <DateField name="day" label="Betalingsdag" choose="Vælg betalingsdag" value={day} onChange={setDay} />
  )
}
