import { useState } from 'react'
import { jsonBody, OFFLINE, orNull, readJson, send } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'
import { PROOF_PREFIX } from '../../base/prove.ts'

const REFUSED = 'Noget gik galt. Prøv igen om lidt.'

type Answer = { redirect?: string; proved?: boolean; message?: string }

type Question = 'sign-in' | 'proof' | 'new'

/** Where each question comes from, and where its answer goes. */
const ADDRESSES: Record<Question, { ask: string; answerTo: string }> = {
  'sign-in': { ask: urls.askPasskey, answerTo: urls.passkeySignIn },
  proof: { ask: urls.askPasskey, answerTo: urls.prove },
  new: { ask: urls.askNewPasskey, answerTo: urls.passkeys },
}

/** Asks the browser for a passkey and sends its answer on. `fault` says why it did not work. */
export function usePasskey(): {
  isBusy: boolean
  fault: string
  /** Signs in, and goes on to `next`. */
  signIn: (next: string) => Promise<void>
  /** Returns whether it proved that it is still them. */
  prove: () => Promise<boolean>
  /** Makes a new one, and shows the page again. */
  make: (name: string) => Promise<void>
} {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState('')

  async function run(question: Question, more: object): Promise<Answer> {
    if (isBusy) return {}
    setBusy(true)
    setFault('')
    const outcome = await passkeyAnswer(question, more)
    if (outcome.redirect) {
      location.assign(outcome.redirect)
      return outcome
    }
    setBusy(false)
    setFault(outcome.message ?? '')
    return outcome
  }

  return {
    isBusy,
    fault,
    signIn: async (next) => void (await run('sign-in', { next })),
    prove: async () => (await run('proof', { [`${PROOF_PREFIX}way`]: 'passkey' })).proved === true,
    make: async (name) => void (await run('new', { name })),
  }
}

async function passkeyAnswer(question: Question, more: object): Promise<Answer> {
  const { ask, answerTo } = ADDRESSES[question]
  const { browserSupportsWebAuthn, startAuthentication, startRegistration } =
    await import('@simplewebauthn/browser')
  if (!browserSupportsWebAuthn()) return { message: 'Denne browser kan ikke bruge adgangsnøgler.' }
  const asked = await post(ask, {})
  if (!asked.ok) return asked.body
  let answer: unknown
  try {
    const optionsJSON = asked.body as never
    answer =
      question === 'new'
        ? await startRegistration({ optionsJSON })
        : await startAuthentication({ optionsJSON })
  } catch (error) {
    return { message: messageOf(error) }
  }
  const field = question === 'proof' ? `${PROOF_PREFIX}passkey` : 'answer'
  const { body } = await post(answerTo, { ...more, [field]: answer })
  return body
}

async function post(url: string, value: object): Promise<{ ok: boolean; body: Answer }> {
  const response = await orNull(send('POST', url, jsonBody(value)))
  if (!response) return { ok: false, body: { message: OFFLINE } }
  const body = await orNull(readJson<Answer>(response))
  return { ok: response.ok && body !== null, body: body ?? { message: REFUSED } }
}

/** Browsers say little about the reason, and a person who pressed Cancel knows it. */
function messageOf(error: unknown): string {
  if (error instanceof Error && error.name === 'InvalidStateError')
    return 'Denne enhed har allerede en adgangsnøgle til dit login.'
  return 'Adgangsnøglen blev ikke brugt. Prøv igen, eller log ind på en anden måde.'
}
