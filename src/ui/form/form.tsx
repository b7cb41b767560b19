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
import type { Clash, FormValues } from '../../server/http/errors.ts'
import { dotted, FieldErrors, type ErrorBody } from '../../base/field-errors.ts'
import { Button, type ButtonKind } from '../basic/button.tsx'
import { useFrame } from '../basic/frame.ts'
import { signedOutText } from '../../base/signed-out.ts'
import { isSignedOut, OFFLINE, orNull, readJson, save } from '../overlay/request.ts'
import { SignInLink } from '../overlay/sign-in-link.tsx'
import { sayOnNextPage } from '../overlay/toasts.ts'
import { useLeaveWarning } from '../basic/use-leave-warning.ts'
import { ClashChoice } from './clash-choice.tsx'
import { useFlash } from './use-flash.ts'

/** A form that the server shows again, with the typed values and the faults. */
export type RefusedForm = ErrorBody & { values: Record<string, string>; clash?: Clash }

type FormState = { errors: FieldErrors; clear: (name: string) => void; values: Record<string, string> }

const FormContext = createContext<FormState>({
  errors: new FieldErrors(),
  clear: () => undefined,
  values: {},
})

export const useForm = () => use(FormContext)

type Props = {
  action: string
  children?: ReactNode
  submit: string
  kind?: ButtonKind
  loadingText?: string
  /**
   * An element before the submit button, such as a cancel button. With it, or null, the submit button is only as wide as
   * its text.
   */
  beside?: ReactNode
  /** The button's text for a moment after a success, if the form stays on its page. */
  flash?: string
  /** A message for the next page. */
  doneText?: string
  refused?: RefusedForm | undefined
  /** The current values of the fields, so that nobody else's change in the meantime is overwritten. */
  was?: FormValues | undefined
  /** Sent by the browser itself even with JavaScript, since the answer is another page. */
  isPlain?: boolean
  /** Makes the browser ask before the page is left with unsaved changes. */
  warnsBeforeLeaving?: boolean
  /** Called with the answer after a success; the form then does not navigate. */
  onDone?: (answer: unknown) => void
  className?: string
}

/**
 * A form that works as a plain post without JavaScript, and stays on its page with it: S7.5. Shows the server's faults at
 * their fields and focuses the first.
 */
export function Form({
  action,
  children,
  submit,
  kind = 'primary',
  loadingText,
  beside,
  flash = 'Gemt',
  doneText,
  refused,
  was,
  isPlain = false,
  warnsBeforeLeaving = false,
  onDone,
  className = 'grid gap-4',
}: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState(() => FieldErrors.from(refused))
  const [summary, setSummary] = useState(() =>
    Object.keys(errors.errors).length === 0 ? errors.message : '',
  )
  const [clash, setClash] = useState(refused?.clash ?? null)
  const [hasSignedOut, setSignedOut] = useState(false)
  const [loading, setLoading] = useState(false)
  const [refusals, setRefusals] = useState(0)

  // A refused form that is shown again without JavaScript is unsaved too, but there is nothing to compare it with.
  const savedText = useRef<string | null>(null)
  useEffect(() => {
    savedText.current ??= textOf(form.current!)
  }, [])
  useLeaveWarning(
    () => warnsBeforeLeaving && savedText.current !== null && textOf(form.current!) !== savedText.current,
  )

  // Runs after a refusal, not when typing removes faults.
  useEffect(() => {
    if (refusals > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-summary]')?.focus()
  }, [refusals])
  const { isFlashing, startFlash, endFlash } = useFlash()

  async function submitForm(event: FormEvent<HTMLFormElement>): Promise<void> {
    if (isPlain) return
    event.preventDefault()
    if (loading) return
    setLoading(true)
    endFlash()
    setErrors(new FieldErrors())
    setSummary('')
    setSignedOut(false)
    const outcome = await post(action, new FormData(event.currentTarget), submit, doneText)
    if (outcome.redirect && !onDone) {
      if (outcome.said) sayOnNextPage(outcome.said)
      savedText.current = null
      return location.assign(outcome.redirect)
    }
    setLoading(false)
    setSignedOut(outcome.isSignedOut ?? false)
    // The choices stay after another fault.
    if (outcome.clash || !outcome.refused) setClash(outcome.clash ?? null)
    if (outcome.refused) return refuse(outcome.refused)
    savedText.current = textOf(form.current!)
    startFlash()
    return onDone?.(outcome.answer)
  }

  function refuse(faults: FieldErrors): void {
    const fields = Array.from(form.current?.elements ?? []) as HTMLInputElement[]
    const isShown = fields.some(
      ({ name, type, dataset }) =>
        type !== 'hidden' && name !== '' && faults.has(dataset.faults ?? dotted(name)),
    )
    setErrors(faults)
    setSummary(isShown ? '' : faults.message)
    setRefusals((before) => before + 1)
  }

  const state = useMemo(
    () => ({
      errors,
      clear: (name: string) => setErrors((now) => now.clear(name)),
      values: refused?.values ?? {},
    }),
    [errors, refused],
  )
  const button = (
    <Button
      type="submit"
      kind={kind}
      loading={loading}
      flash={isFlashing ? flash : null}
      {...(loadingText && { loadingText })}
    >
      {submit}
    </Button>
  )
  return (
    <FormContext value={state}>
      <form
        ref={form}
        method="post"
        action={action}
        onSubmit={(event) => void submitForm(event)}
        noValidate
        className={className}
      >
        <Carried was={was && (refused?.values.was ?? JSON.stringify(was))} />
        {clash && <ClashChoice clash={clash} />}
        {summary !== '' && summary !== clash?.message && (
          <Summary text={summary} hasSignedOut={hasSignedOut} />
        )}
        {children}
        {beside === undefined ? button : <Beside button={button}>{beside}</Beside>}
        <output className="sr-only">{isFlashing ? flash : ''}</output>
      </form>
    </FormContext>
  )
}

/** Sends along whose form it is, and what its fields were when it was opened. */
function Carried({ was }: { was: string | undefined }) {
  const { token } = useFrame()
  return (
    <>
      <input type="hidden" name="_token" value={token} />
      {was !== undefined && <input type="hidden" name="was" value={was} />}
    </>
  )
}

function Beside({ button, children }: { button: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-end gap-3">
      {children}
      {button}
    </div>
  )
}

/** Shows the faults that belong to no field, above the fields. */
function Summary({ text, hasSignedOut }: { text: string; hasSignedOut: boolean }) {
  return (
    <p
      data-summary
      tabIndex={-1}
      role="alert"
      className="rounded-control bg-danger-soft px-3 py-2 text-danger"
    >
      {text} {hasSignedOut && <SignInLink />}
    </p>
  )
}

/** Returns the values of all fields. */
function textOf(form: HTMLFormElement): string {
  return JSON.stringify([...new FormData(form)].filter(([, value]) => typeof value === 'string'))
}

type Outcome = {
  refused?: FieldErrors
  clash?: Clash
  isSignedOut?: boolean
  redirect?: string
  /** The server's message for the next page, instead of the form's own. */
  said?: string
  answer?: unknown
}

async function post(
  action: string,
  data: FormData,
  submit: string,
  ownMessage: string | undefined,
): Promise<Outcome> {
  const response = await orNull(save(action, data, submit))
  if (!response) return { refused: new FieldErrors(OFFLINE) }
  const body = await orNull(readJson<{ redirect?: string; said?: string; clash?: Clash }>(response))
  if (isSignedOut(response.status, body))
    return { refused: new FieldErrors(signedOutText(submit)), isSignedOut: true }
  if (!response.ok || !body)
    return { refused: withMessage(FieldErrors.from(body)), ...(body?.clash && { clash: body.clash }) }
  const said = body.said ?? ownMessage
  return { answer: body, ...(body.redirect && { redirect: body.redirect }), ...(said && { said }) }
}

function withMessage(errors: FieldErrors): FieldErrors {
  return errors.message ? errors : new FieldErrors('Noget gik galt. Prøv igen om lidt.', errors.errors)
}
