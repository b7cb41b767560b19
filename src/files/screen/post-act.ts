import { jsonBody, OFFLINE, orNull, readJson, send } from '../../ui/overlay/request.ts'

/** The answer to every act on files. */
export type ActAnswer = { success?: boolean; message?: string; undo?: string | null; asked?: string }

type Outcome = {
  status: number
  undo: string | null
  fault: string | null
  /** Set if nothing has changed yet, because a colleague has to approve it. */
  asked: string | null
}

/** Sends an act on files. Returns how to undo it, or why it was refused. */
export function postAct(url: string, sent: object): Promise<Outcome> {
  return sendAct('POST', url, sent instanceof FormData ? sent : jsonBody(sent))
}

export async function sendAct(method: 'POST' | 'DELETE', url: string, body?: BodyInit): Promise<Outcome> {
  const response = await orNull(send(method, url, body))
  if (!response) return { status: 0, undo: null, fault: OFFLINE, asked: null }
  const { ok, status } = response
  const answer = await orNull(readJson<ActAnswer | null>(response))
  if (ok) return { status, undo: answer?.undo ?? null, fault: null, asked: answer?.asked ?? null }
  return { status, undo: null, asked: null, fault: answer?.message || 'Noget gik galt. Prøv igen om lidt.' }
}
