import { afterEach, expect, it, vi } from 'vitest'
import { send } from './request.ts'

afterEach(() => vi.unstubAllGlobals())

function stub(answer: Response | Error, cookie = '') {
  const fetched = vi.fn(() => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)))
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('document', { cookie })
  return fetched
}

it('S7.1 carries the marker and echoes the anti-forgery cookie', async () => {
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
  'S7.2 sets no timeout and passes an answer of %i on as it is',
  async (status) => {
    const answer = new Response('{}', { status })
    const fetched = stub(answer)
    expect(await send('GET', '/api/projects')).toBe(answer)
    expect((fetched.mock.calls[0] as unknown[])[1]).not.toHaveProperty('signal')
  },
)

it('S7.2 passes a failure on too', async () => {
  const failure = new TypeError('Failed to fetch')
  stub(failure)
  await expect(send('GET', '/api/projects')).rejects.toBe(failure)
})
