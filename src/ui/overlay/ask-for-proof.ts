import { modals } from './modals.ts'

/** The name of the modal that asks somebody to prove that it is them. */
export const PROVE = 'prove'

let asking: Promise<boolean> | null = null
let isProved = false

/** Asks, once for calls that are refused together. Returns whether the person has proved it; closing the modal means no. */
export function askForProof(): Promise<boolean> {
  asking ??= new Promise((resolve) => {
    isProved = false
    modals.open(PROVE)
    const stop = modals.listen(() => {
      if (modals.isOpen(PROVE)) return
      stop()
      asking = null
      resolve(isProved)
    })
  })
  return asking
}

/** Closes the modal after the person has proved that it is them. */
export function endProof(): void {
  isProved = true
  modals.close(PROVE)
}

/** Whether a refusal means that the person must prove that it is them. */
export const needsProof = (status: number, body: unknown) =>
  status === 403 && (body as { prove?: unknown } | null)?.prove === true
