import { SelectField } from '../../ui/form/select-field.tsx'
import { followChoices } from './followed.ts'

/** Asks from which year the office follows what is due. */
export function FollowedField({ today }: { today: string }) {
  return (
    <div className="grid max-w-[480px] gap-1">
      <SelectField
        name="followed_from"
        label="Fra hvilket år skal Ringbind følge med?"
        options={followChoices(today)}
        defaultValue={today}
      />
      <p className="text-meta text-muted">
        Det, der skulle være klar før, er ikke fulgt: Det mangler ikke og er ikke forsinket. Papirer kan altid
        ses. Du kan ændre det for hvert projekt.
      </p>
    </div>
  )
}
