import { useState } from 'react'
import { Button } from '../ui/basic/button.tsx'
import { CurrencyInput } from '../ui/form/currency-input.tsx'
import { DateField } from '../ui/form/date-field.tsx'
import { LatePart } from '../ui/overlay/late-part.tsx'
import { Field } from '../ui/form/field.tsx'
import { Form } from '../ui/form/form.tsx'
import { urls } from '../urls.ts'
import { Example } from './example.tsx'
import { galleryCalls } from './gallery-calls.ts'

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
      <Example title="Beløb">
        <Amounts />
      </Example>
      <Example title="Beløb i en formular">
        <div className="w-full max-w-[360px]">
          <Form action={galleryCalls.amount} submit="Gem beløb">
            <CurrencyInput
              name="amount"
              label="Indskud"
              help="Lad feltet stå tomt for at se en fejl."
              decimals={2}
              symbol
            />
          </Form>
        </div>
      </Example>
    </>
  )
}

function Day() {
  const [day, setDay] = useState<string | null>('2026-11-15')
  return (
    <LatePart>
      <DateField name="day" label="Betalingsdag" choose="Vælg betalingsdag" value={day} onChange={setDay} />
    </LatePart>
  )
}

function Amounts() {
  const [equity, setEquity] = useState<number | null>(1_250_000)
  return (
    <div className="grid w-full gap-4 sm:grid-cols-2 lg:grid-cols-4">
      <CurrencyInput
        name="equity"
        label="Egenkapital"
        help={`Gemt: ${equity ?? 'intet'}`}
        value={equity}
        onChange={setEquity}
      />
      <CurrencyInput
        name="loan"
        label="Lån"
        help="Fra 0 til 10.000.000."
        value={500}
        min={0}
        max={10_000_000}
      />
      <CurrencyInput name="rent" label="Leje" help="Med ører." value={98} decimals={2} symbol />
      <table className="self-start">
        <thead>
          <tr>
            <th scope="col" className="pb-1 text-left font-medium">
              I en celle
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td className="border-y border-line p-1">
              <CurrencyInput
                name="cells[0][share]"
                aria-label="Andel, række 1"
                value={25_000}
                grouping={false}
              />
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  )
}
