import { useId, type ComponentProps } from 'react'
import { moneySymbol, type MoneyLook, type MoneyRules } from '../../base/money.ts'
import { Faults } from '../basic/faults.tsx'
import { useForm } from './form.tsx'
import { INPUT_LOOK } from '../basic/input-look.ts'
import { useCurrencyText } from './use-currency-text.ts'
import { useHydrated } from '../basic/use-hydrated.ts'

type InputProps = Pick<
  ComponentProps<'input'>,
  'aria-label' | 'aria-describedby' | 'aria-invalid' | 'className' | 'placeholder' | 'readOnly'
>

type Props = MoneyRules &
  MoneyLook &
  InputProps & {
    name: string
    /** Above it. Where there is no room for one, as in a table, there is an `aria-label` instead. */
    label?: string
    help?: string
    value?: number | null
    /** When an amount has been given, not at each key. */
    onChange?: (value: number | null) => void
  }

/**
 * S5.9: an amount, written the Danish way. The text stays as it is typed until the field is left; what is no amount
 * leaves the amount before it. The form gets the plain number, such as `12.5`; without JavaScript, the text.
 */
export function CurrencyInput({
  name,
  label,
  help,
  value = null,
  onChange,
  decimals = 0,
  min = -Infinity,
  max = Infinity,
  grouping = true,
  symbol = false,
  currency,
  className = '',
  ...more
}: Props) {
  const id = useId()
  const isHydrated = useHydrated()
  const { errors, clear, values } = useForm()
  const { input, shown, amount, note, change, begin, end, act } = useCurrencyText({
    rules: { decimals, min, max },
    grouping,
    given: value,
    sent: values[name],
    onEdit: () => clear(name),
    onChange,
  })
  const faults = errors.get(name)
  const isInvalid = faults.length > 0 || more['aria-invalid']
  const describedBy = [
    more['aria-describedby'],
    symbol && `${id}-symbol`,
    help && `${id}-help`,
    note && `${id}-note`,
    faults.length > 0 && `${id}-fault`,
  ]
  return (
    <div className="grid min-w-0 content-start gap-1">
      {label && (
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
      )}
      <div className="relative grid">
        <input
          {...more}
          ref={input}
          id={id}
          name={isHydrated ? undefined : name}
          inputMode={min >= 0 ? 'decimal' : 'text'} // an iPhone's number pad has no minus
          autoComplete="off"
          value={shown}
          onChange={({ target }) => change(target.value)}
          onFocus={begin}
          onBlur={end}
          onKeyDown={act}
          aria-invalid={isInvalid || undefined}
          aria-describedby={describedBy.filter(Boolean).join(' ') || undefined}
          className={`${label ? INPUT_LOOK : 'cell-field'} text-right tabular-nums ${symbol ? 'pr-10' : ''} ${className}`}
        />
        {symbol && (
          <span
            id={`${id}-symbol`}
            className="pointer-events-none absolute inset-y-0 right-3 grid place-items-center text-muted"
          >
            {moneySymbol(currency)}
          </span>
        )}
      </div>
      {isHydrated && <input type="hidden" name={name} value={amount ?? ''} data-shown="" />}
      {help && (
        <p id={`${id}-help`} className="text-meta text-muted">
          {help}
        </p>
      )}
      {/* Always there, so that a screen reader hears what comes into it. */}
      <p id={`${id}-note`} aria-live="polite" className="text-meta text-warn empty:sr-only">
        {note}
      </p>
      <Faults id={`${id}-fault`} faults={faults} />
    </div>
  )
}
