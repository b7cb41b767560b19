import { useId, type ReactNode } from 'react'
import { INPUT_LOOK } from '../basic/input-look.ts'

type Props = {
  name: string
  label: string
  value: string | number | null
  /** Without it, the choice applies with its form. */
  onChange?: (value: string) => void
  className?: string
  /** The options. */
  children: ReactNode
}

/** A filter chosen from a list. */
export function FilterChoice({ name, label, value, onChange, className, children }: Props) {
  const id = useId()
  const chosen = value ?? ''
  return (
    <div className={className ?? 'grid min-w-0 gap-1'}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <select
        id={id}
        name={name}
        {...(onChange
          ? { value: chosen, onChange: (event) => onChange(event.currentTarget.value) }
          : { defaultValue: chosen })}
        className={`${INPUT_LOOK} pl-2`}
      >
        {children}
      </select>
    </div>
  )
}
