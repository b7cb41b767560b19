import {
  createContext,
  use,
  useEffect,
  useMemo,
  useRef,
  useState,
  type FormEvent,
  type ReactNode,
} from 'react'
import { FieldErrors, type ErrorBody } from '../base/field-errors.ts'
import { Button } from './button.tsx'
import { useFrame } from './frame.ts'
import { send } from './request.ts'

/** How long a button says that it went well. */
const FLASH_MS = 2000

/** A form that the server showed again, with what was typed and what was wrong. */
export type RefusedForm = ErrorBody & { values: Record<string, string> }

type FormState = { errors: FieldErrors; clear: (name: string) => void; values: Record<string, string> }

const FormContext = createContext<FormState>({
  errors: new FieldErrors(),
  clear: () => undefined,
  values: {},
})

export const useForm = () => use(FormContext)

type Props = {
  action: string
  children: ReactNode
  submit: string
  loadingText?: string
  /** Said on the button when the form stays on its page. */
  flash?: string
  refused?: RefusedForm | undefined
  /** Called with the answer's body instead of going on to its `redirect`. */
  onDone?: (body: unknown) => void
}

/**
 * A form that works without JavaScript, as a plain post, and with it stays on its page: S7.5. What the server
 * refuses is shown at its field; the first fault gets the focus.
 */
export function Form({ action, children, submit, loadingText, flash, refused, onDone }: Props) {
  const { token } = useFrame()
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState(() => FieldErrors.from(refused))
  const [loading, setLoading] = useState(false)
  const [flashing, setFlashing] = useState(false)
  const [round, setRound] = useState(0)

  // After a refusal, not while typing takes errors away.
  useEffect(() => {
    if (round > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-summary]')?.focus()
  }, [round])

  async function submitForm(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (loading) return
    setLoading(true)
    setErrors(new FieldErrors())
    const outcome = await post(action, new FormData(event.currentTarget))
    if (outcome.refused) {
      setErrors(outcome.refused)
      setRound((before) => before + 1)
      setLoading(false)
    } else if (onDone || !outcome.redirect) {
      setLoading(false)
      onDone?.(outcome.body)
      setFlashing(true)
      setTimeout(() => setFlashing(false), FLASH_MS)
    } else location.assign(outcome.redirect)
  }

  const lone = errors.message !== '' && Object.keys(errors.errors).length === 0
  const state = useMemo(
    () => ({
      errors,
      clear: (name: string) => setErrors((now) => now.clear(name)),
      values: refused?.values ?? {},
    }),
    [errors, refused],
  )
  return (
    <FormContext value={state}>
      <form
        ref={form}
        method="post"
        action={action}
        onSubmit={(event) => void submitForm(event)}
        noValidate
        className="grid gap-4"
      >
        <input type="hidden" name="_token" value={token} />
        {lone && (
          <p
            data-summary
            tabIndex={-1}
            role="alert"
            className="rounded-control bg-danger-soft px-3 py-2 text-danger"
          >
            {errors.message}
          </p>
        )}
        {children}
        <Button
          type="submit"
          loading={loading}
          flash={flashing ? (flash ?? 'Gemt') : null}
          {...(loadingText && { loadingText })}
        >
          {submit}
        </Button>
      </form>
    </FormContext>
  )
}

type Outcome = { refused?: FieldErrors; redirect?: string; body?: unknown }

async function post(action: string, data: FormData): Promise<Outcome> {
  try {
    const response = await send('POST', action, data)
    const body = (await response.json().catch(() => ({}))) as { redirect?: string }
    if (!response.ok) return { refused: withMessage(FieldErrors.from(body)) }
    return { body, ...(body.redirect && { redirect: body.redirect }) }
  } catch {
    return {
      refused: new FieldErrors('Der er ingen forbindelse til Ringbind. Intet er sendt; prøv igen om lidt.'),
    }
  }
}

function withMessage(errors: FieldErrors): FieldErrors {
  return errors.isEmpty ? new FieldErrors('Noget gik galt. Prøv igen om lidt.') : errors
}
