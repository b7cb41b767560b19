import { afterEach, describe, expect, it, vi } from 'vitest'
import { askForProof, endProof, PROVE } from './ask-for-proof.ts'
import { modals } from './modals.ts'
import { attempt, NoAnswer, OFFLINE, save, send, SIGNED_OUT } from './request.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  modals.close(SIGNED_OUT)
})

function stub(answer: Response | Error, cookie = '') {
  const fetched = vi.fn(() => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)))
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('document', { cookie })
  return fetched
}

it('S7.1 a request carries the marker and echoes the anti-forgery cookie', async () => {
  const fetched = stub(new Response(), 'a=b; XSRF-TOKEN=x%2Fy%3D; theme=dark')
  await send('POST', '/login', 'body')
  expect(fetched.mock.calls[0]).toMatchObject([
    '/login',
    {
      method: 'POST',
      body: 'body',
      headers: { 'X-Requested-With': 'XMLHttpRequest', 'X-XSRF-TOKEN': 'x/y=' },
    },
  ])
})

it.each([200, 404, 422, 500])(
  'S7.2 a request has no timeout and passes an answer of %i on unchanged',
  async (status) => {
    const answer = new Response('{}', { status })
    const fetched = stub(answer)
    expect(await send('GET', '/api/projects')).toBe(answer)
    expect((fetched.mock.calls[0] as unknown[])[1]).not.toHaveProperty('signal')
  },
)

it('S7.2 a request passes a failure on', async () => {
  const failure = new TypeError('Failed to fetch')
  stub(failure)
  await expect(send('GET', '/api/projects')).rejects.toEqual(new NoAnswer('No answer', { cause: failure }))
})

describe('who has been signed out', () => {
  const expired = { message: 'Siden er udløbet.', expired: true }
  it.each([
    ['a call without a session', 401, {}, true],
    ['a call with the token of another session', 403, expired, true],
    ['a call that is not allowed', 403, { message: 'Det har du ikke adgang til.' }, false],
    ['a 403 that is no JSON', 403, null, false],
    ['a fault of the server', 500, expired, false],
    ['a success', 200, {}, false],
  ])('a signed-out person is led to the sign-in by %s', async (_, status, body, isTold) => {
    const answer = new Response(body ? JSON.stringify(body) : '<html>', { status })
    stub(answer)
    expect(await send('GET', '/api/projects')).toBe(answer)
    expect(modals.isOpen(SIGNED_OUT)).toBe(isTold)
    if (body) expect(await answer.json()).toEqual(body) // the caller can still read it
  })

  it('a signed-out person is told which button to press again after sign-in', async () => {
    stub(new Response('{}', { status: 401 }))
    await save('/projects/new', 'body', 'Opret projekt')
    expect(modals.subject(SIGNED_OUT)).toBe('Opret projekt')
  })
})

it.each([
  ['done', new Response('{"success":true}'), { status: 200, fault: null }],
  ['refused', new Response('{"message":"Låst."}', { status: 409 }), { status: 409, fault: 'Låst.' }],
  [
    'refused without a word',
    new Response('', { status: 502 }),
    { status: 502, fault: 'Noget gik galt. Prøv igen om lidt.' },
  ],
  ['a broken connection', new TypeError('Failed to fetch'), { status: 0, fault: OFFLINE }],
])('a failed attempt says why: %s', async (_, answer, outcome) => {
  stub(answer)
  expect(await attempt('DELETE', '/api/projects/1/file/2')).toEqual(outcome)
})

describe('a call that needs a fresh proof', () => {
  const refused = () => new Response('{"message":"Bekræft","prove":true}', { status: 403 })

  /** Answers with the given answers, one after the other. */
  function stubAll(...answers: Response[]) {
    const fetched = vi.fn(() => Promise.resolve(answers.shift()!))
    vi.stubGlobal('fetch', fetched)
    vi.stubGlobal('document', { cookie: '' })
    return fetched
  }
  const opened = async () => {
    await expect.poll(() => modals.isOpen(PROVE)).toBe(true)
  }

  it('a call that needs a fresh proof is sent again with the same body after the proof', async () => {
    const done = new Response('{}')
    const fetched = stubAll(refused(), done)
    const body = new FormData()
    const answer = save('/users/1/edit', body)
    await opened()
    endProof()
    expect(await answer).toBe(done)
    expect(fetched.mock.calls.map(([, sent]: unknown[]) => (sent as { body: unknown }).body)).toEqual([
      body,
      body,
    ])
    expect(modals.isOpen(PROVE)).toBe(false)
  })

  it('a call that needs a fresh proof stays refused if the question is closed', async () => {
    const answer = refused()
    const fetched = stubAll(answer)
    const sent = send('POST', '/api/x')
    await opened()
    modals.close(PROVE)
    expect(await sent).toBe(answer)
    expect(fetched).toHaveBeenCalledTimes(1)
  })

  it('several calls share one question for a fresh proof, and later calls ask again', async () => {
    const both = [askForProof(), askForProof()]
    endProof()
    expect(await Promise.all(both)).toEqual([true, true])
    const again = askForProof()
    expect(modals.isOpen(PROVE)).toBe(true)
    modals.close(PROVE)
    expect(await again).toBe(false)
  })
})
