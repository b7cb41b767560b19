import { useId } from 'react'
import type { Clash, ClashingField } from '../../server/http/errors.ts'

/** Shows somebody else's changes since the form was opened, beside the person's own, and asks which to keep. */
export function ClashChoice({ clash }: { clash: Clash }) {
  return (
    <div
      data-summary
      tabIndex={-1}
      role="alert"
      className="grid gap-3 rounded-control bg-warn-soft px-3 py-2 text-warn"
    >
      <p>{clash.message}</p>
      <input type="hidden" name="seen" value={JSON.stringify(clash.now)} />
      {clash.fields.map((field) => (
        <Choice key={`${field.name} ${field.theirs}`} field={field} />
      ))}
    </div>
  )
}

function Choice({ field: { name, label, mine, theirs } }: { field: ClashingField }) {
  const id = useId()
  return (
    <fieldset className="grid gap-1 text-ink">
      <legend className="mb-1 font-medium">{label}</legend>
      {(
        [
          ['mine', 'Mit', mine],
          ['theirs', 'Det nye', theirs],
        ] as const
      ).map(([value, whose, text]) => (
        <div key={value} className="flex items-start gap-2">
          <input
            id={`${id}-${value}`}
            type="radio"
            name={`choose[${name}]`}
            value={value}
            className="mt-0.5"
          />
          <label htmlFor={`${id}-${value}`} className="min-w-0 wrap-anywhere whitespace-pre-wrap">
            {whose}: {text}
          </label>
        </div>
      ))}
    </fieldset>
  )
}
