import { crc32 } from 'node:zlib'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import sharp, { type Sharp } from 'sharp'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import type { UserRow } from '../../people/user/user-row.ts'
import { IMAGE_FAULTS, MOST_IMAGE_BYTES } from '../../base/image.ts'
import { LIMITS } from '../../server/storage/make-image.ts'

let test: TestApp
let port: number
let person: Entered
beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  ;({ port } = test.app.server.address() as AddressInfo)
})
beforeEach(async () => {
  person = await enter(test, 'investor')
})

type Way = { script?: boolean; token?: boolean }

/** Uses a real socket, like a browser. */
async function send({ visitor }: Entered, form: FormData, { script = true, token = true }: Way = {}) {
  await visitor.get('/findes-ikke')
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const known = decodeURIComponent(visitor.cookies.get('XSRF-TOKEN')!)
  const body = new FormData()
  if (!script && token) body.append('_token', known) // first, like in the page's form
  for (const [name, value] of form)
    if (typeof value === 'string') body.append(name, value)
    else body.append(name, value, value.name)
  return fetch(`http://127.0.0.1:${port}/profile/image`, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: {
      cookie,
      ...(script && { 'x-requested-with': 'XMLHttpRequest', ...(token && { 'x-xsrf-token': known }) }),
    },
  })
}

type Sent = { bytes: Buffer | string; name?: string; type?: string; field?: string }

function formOf(files: Sent[], fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const { bytes, name = 'mig.png', type = 'image/png', field = 'file' } of files)
    form.append(field, new Blob([new Uint8Array(Buffer.from(bytes))], { type }), name)
  return form
}

const upload = (who: Entered, bytes: Buffer | string, way?: Way) => send(who, formOf([{ bytes }]), way)

const plain = (width: number, height: number, background = '#b06040') =>
  sharp({ create: { width, height, channels: 3, background } })

const png = (width = 300, height = 200) => plain(width, height).png().toBuffer()

async function imageOf(answer: Response): Promise<string> {
  expect(answer.status).toBe(200)
  const { image } = (await answer.json()) as { image: string }
  return image
}

const rowOf = async (id: number) =>
  test.db
    .selectFrom('users')
    .leftJoin('profile_images', 'profile_images.user_id', 'users.id')
    .select(['image_key', 'small', 'large'])
    .where('users.id', '=', id)
    .executeTakeFirstOrThrow()

const acts = async (id: number) =>
  (await test.db.selectFrom('log').select('act').where('user_id', '=', id).orderBy('id').execute()).map(
    ({ act }) => act,
  )

/** Returns the colour at a place in an image. */
async function colourAt(bytes: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const at =
    (Math.round(y * (info.height - 1)) * info.width + Math.round(x * (info.width - 1))) * info.channels
  return [...data.subarray(at, at + 3)]
}

const RED = [255, 0, 0]
const BLUE = [0, 0, 255]
const isNear = (colour: number[], wanted: number[]) =>
  colour.every((value, index) => Math.abs(value - wanted[index]!) < 60)

/** Red above, blue below. */
async function twoHalves(width = 400, height = 400) {
  const below = await plain(width, height / 2, '#00f')
    .png()
    .toBuffer()
  return sharp(await plain(width, height, '#f00').png().toBuffer()).composite([
    { input: below, top: height / 2, left: 0 },
  ])
}

describe('an image', () => {
  it('S7.10 an image is posted as file, and S3.6 the answer has its address', async () => {
    const answer = await upload(person, await png())
    const body = (await answer.json()) as { image: string }
    expect(body).toEqual({
      image: expect.stringMatching(`^/users/${person.id}/image/[0-9a-f]{32}$`) as string,
    })
    expect(await acts(person.id)).toEqual(['sign-in', 'profile-image-changed'])
    const shown = await person.visitor.get(body.image)
    expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/webp'])
    expect(shown.headers).toMatchObject({
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
  })

  it.each([
    ['JPEG', (image: Sharp) => image.jpeg()],
    ['PNG', (image: Sharp) => image.png()],
    ['interlaced PNG', (image: Sharp) => image.png({ progressive: true })],
    ['palette PNG', (image: Sharp) => image.png({ palette: true })],
    ['grey JPEG', (image: Sharp) => image.greyscale().jpeg()],
    ['CMYK JPEG', (image: Sharp) => image.toColourspace('cmyk').jpeg()],
    ['WebP', (image: Sharp) => image.webp()],
    ['GIF', (image: Sharp) => image.gif()],
  ])('S2.9 an image of the type %s becomes two squares of WebP', async (_type, made) => {
    await imageOf(await upload(person, await made(plain(640, 480)).toBuffer()))
    const { small, large } = await rowOf(person.id)
    for (const [bytes, side] of [
      [small!, 72],
      [large!, 256],
    ] as const)
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: side, height: side })
  })

  it.each([
    [1, 1],
    [30, 300],
    [5000, 600],
  ])('an image of %d × %d becomes a square', async (width, height) => {
    await imageOf(await upload(person, await png(width, height)))
    expect(await sharp((await rowOf(person.id)).large!).metadata()).toMatchObject({ width: 256, height: 256 })
  })

  it('the type of an image is read from its bytes, whatever its name', async () => {
    const answer = await send(
      person,
      formOf([{ bytes: await png(), name: 'brev.pdf', type: 'application/pdf' }]),
    )
    await imageOf(answer)
  })

  it('S2.9 removes the place and camera from an image', async () => {
    const exif = {
      IFD0: { Make: 'Fabrikanten', Artist: 'Åse' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '55/1 40/1 0/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '12/1 34/1 0/1',
      },
    }
    const taken = await plain(300, 300)
      .jpeg()
      .withExif(exif)
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
      .toBuffer()
    expect((await sharp(taken).metadata()).exif).toBeDefined()
    expect(taken.includes('Fabrikanten')).toBe(true)
    await imageOf(await upload(person, taken))
    const { small, large } = await rowOf(person.id)
    for (const bytes of [small!, large!]) {
      const { exif: left, xmp, icc, iptc } = await sharp(bytes).metadata()
      expect([left, xmp, icc, iptc]).toEqual([undefined, undefined, undefined, undefined])
      expect(bytes.includes('Fabrikanten')).toBe(false)
    }
  })

  it.each([
    [1, { red: [0.5, 0.1], blue: [0.5, 0.9] }],
    [3, { red: [0.5, 0.9], blue: [0.5, 0.1] }],
    [6, { red: [0.9, 0.5], blue: [0.1, 0.5] }],
    [8, { red: [0.1, 0.5], blue: [0.9, 0.5] }],
  ] as const)('S2.9 turns an image with orientation %d upright', async (orientation, { red, blue }) => {
    await imageOf(
      await upload(person, await (await twoHalves()).jpeg().withMetadata({ orientation }).toBuffer()),
    )
    const { large } = await rowOf(person.id)
    expect(isNear(await colourAt(large!, red[0], red[1]), RED)).toBe(true)
    expect(isNear(await colourAt(large!, blue[0], blue[1]), BLUE)).toBe(true)
  })

  it('shows the first frame of an animated image', async () => {
    const frames = await Promise.all(
      ['#f00', '#00f', '#0f0'].map((each) => plain(80, 80, each).png().toBuffer()),
    )
    for (const kind of ['gif', 'webp'] as const) {
      const joined = sharp(frames, { join: { animated: true } })
      const moving = await joined[kind]().toBuffer()
      expect((await sharp(moving).metadata()).pages).toBe(3)
      await imageOf(await upload(person, moving))
      const { large } = await rowOf(person.id)
      expect((await sharp(large!).metadata()).pages ?? 1).toBe(1)
      expect(isNear(await colourAt(large!, 0.5, 0.5), RED)).toBe(true)
    }
  })

  it('gives a transparent image a white background', async () => {
    const clear = { create: { width: 50, height: 50, channels: 4, background: '#0000' } } as const
    await imageOf(await upload(person, await sharp(clear).png().toBuffer()))
    expect(await colourAt((await rowOf(person.id)).large!, 0.5, 0.5)).toEqual([255, 255, 255])
  })

  it('S7.10 a new image replaces the previous one, whose address stops working', async () => {
    const first = await imageOf(await upload(person, await png()))
    const second = await imageOf(await upload(person, await png(100, 100)))
    expect(first).not.toBe(second)
    expect((await person.visitor.get(first)).statusCode).toBe(404)
    expect((await person.visitor.get(second)).statusCode).toBe(200)
  })

  it('S7.10 removes an image by _method DELETE, and S3.6 the answer is null', async () => {
    const image = await imageOf(await upload(person, await png()))
    const answer = await send(person, formOf([], { _method: 'DELETE' }))
    expect([answer.status, await answer.json()]).toEqual([200, { image: null }])
    expect(await rowOf(person.id)).toEqual({ image_key: null, small: null, large: null })
    expect((await person.visitor.get(image)).statusCode).toBe(404)
    expect((await acts(person.id)).slice(1)).toEqual(['profile-image-changed', 'profile-image-removed'])
    const again = await person.visitor.post('/profile/image', { _method: 'delete' }, { script: true })
    expect(again.json()).toEqual({ image: null })
    expect(await acts(person.id)).toHaveLength(3)
  })

  it('S7.10 accepts _method POST and DELETE only', async () => {
    await imageOf(await send(person, formOf([{ bytes: await png() }], { _method: 'POST' })))
    const answer = await send(person, formOf([{ bytes: await png() }], { _method: 'PUT' }))
    expect([answer.status, Object.keys(((await answer.json()) as { errors: object }).errors)]).toEqual([
      422,
      ['_method'],
    ])
  })

  it('shows the image in the list of users', async () => {
    const office = await enter(test, 'employee')
    const image = await imageOf(await upload(person, await png()))
    const { data } = (await office.visitor.get('/api/users')).json() as { data: UserRow[] }
    expect(data.find(({ id }) => id === person.id)!.image).toBe(image)
    expect((await office.visitor.get('/users')).body).toContain(`src="${image}"`)
    expect((await person.visitor.get('/')).body).toContain(`src="${image}"`)
  })
})

describe('without JavaScript', () => {
  it('S2.9 the upload redirects to the profile', async () => {
    const answer = await upload(person, await png(), { script: false })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/profile?done=image'])
    expect((await person.visitor.get('/profile?done=image')).body).toContain('Dit profilbillede er ændret.')
    const removed = await send(person, formOf([], { _method: 'DELETE' }), { script: false })
    expect(removed.status).toBe(303)
    expect((await rowOf(person.id)).image_key).toBeNull()
  })

  it('S2.9 a refused upload shows the profile with the fault', async () => {
    const answer = await upload(person, 'bare tekst', { script: false })
    const body = await answer.text()
    expect(answer.status).toBe(422)
    expect(body).toContain(IMAGE_FAULTS.type)
    expect(body).toContain('Min profil')
    const large = await upload(person, Buffer.alloc(MOST_IMAGE_BYTES + 1), { script: false })
    expect([large.status, (await large.text()).includes(IMAGE_FAULTS.large)]).toEqual([413, true])
  })

  it.each([true, false])('changes nothing without the token (script: %s)', async (script) => {
    const answer = await upload(person, await png(), { script, token: false })
    expect(answer.status).toBe(403)
    expect((await rowOf(person.id)).image_key).toBeNull()
  })
})

/** A PNG that says it is much larger than it is. */
async function hugePng(): Promise<Buffer> {
  const small = await png(9, 9)
  const header = small.subarray(12, 29) // its name, width, height and kind, before their checksum
  header.writeUInt32BE(12_000, 4)
  header.writeUInt32BE(12_000, 8)
  small.writeUInt32BE(crc32(header), 29)
  return small
}

const REFUSED: [what: string, files: () => Promise<Sent[]>, status: number, fault: string][] = [
  [
    'an SVG',
    async () => [
      { bytes: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', type: 'image/svg+xml' },
    ],
    422,
    IMAGE_FAULTS.type,
  ],
  ['a PDF', async () => [{ bytes: '%PDF-1.7\n1 0 obj' }], 422, IMAGE_FAULTS.type],
  ['a text', async () => [{ bytes: 'Kære kontor' }], 422, IMAGE_FAULTS.type],
  ['HTML', async () => [{ bytes: '<!doctype html><script>alert(1)</script>' }], 422, IMAGE_FAULTS.type],
  ['a TIFF', async () => [{ bytes: await plain(9, 9).tiff().toBuffer() }], 422, IMAGE_FAULTS.type],
  ['an AVIF', async () => [{ bytes: await plain(64, 64).avif().toBuffer() }], 422, IMAGE_FAULTS.type],
  [
    'HTML that is called a JPEG',
    async () => [{ bytes: '<html><body>Hej</body></html>', name: 'mig.jpg', type: 'image/jpeg' }],
    422,
    IMAGE_FAULTS.type,
  ],
  [
    'an SVG behind the first bytes of a PNG',
    async () => [
      {
        bytes: Buffer.concat([
          (await png()).subarray(0, 8),
          Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
        ]),
      },
    ],
    422,
    '',
  ],
  [
    'rubbish behind the first bytes of a JPEG',
    async () => [{ bytes: Buffer.concat([Buffer.from([255, 216, 255, 224]), Buffer.alloc(2000, 7)]) }],
    422,
    IMAGE_FAULTS.broken,
  ],
  [
    'half a JPEG',
    async () => {
      const bytes = await (await twoHalves()).jpeg().toBuffer()
      return [{ bytes: bytes.subarray(0, bytes.length / 2) }]
    },
    422,
    IMAGE_FAULTS.broken,
  ],
  [
    'half a PNG',
    async () => {
      const bytes = await (await twoHalves(900, 900)).png({ compressionLevel: 0 }).toBuffer()
      return [{ bytes: bytes.subarray(0, bytes.length / 2) }]
    },
    422,
    IMAGE_FAULTS.broken,
  ],
  [
    'half a WebP',
    async () => {
      const bytes = await (await twoHalves()).webp({ lossless: true }).toBuffer()
      return [{ bytes: bytes.subarray(0, bytes.length / 2) }]
    },
    422,
    IMAGE_FAULTS.broken,
  ],
  [
    'a PNG with a broken middle',
    async () => {
      const bytes = await (await twoHalves(900, 900)).png().toBuffer()
      return [{ bytes: bytes.fill(9, 5000, 5050) }]
    },
    422,
    IMAGE_FAULTS.broken,
  ],
  ['a PNG of 12,000 × 12,000', async () => [{ bytes: await hugePng() }], 422, IMAGE_FAULTS.pixels],
  ['a strip of 20,000 × 4', async () => [{ bytes: await png(20_000, 4) }], 422, IMAGE_FAULTS.shape],
  ['an empty file', async () => [{ bytes: '' }], 422, IMAGE_FAULTS.empty],
  ['no file', async () => [], 422, IMAGE_FAULTS.none],
  ['a file field in which nothing was chosen', async () => [{ bytes: '', name: '' }], 422, IMAGE_FAULTS.none],
  ['a file in another field', async () => [{ bytes: await png(), field: 'image' }], 422, IMAGE_FAULTS.none],
  ['two files', async () => [{ bytes: await png() }, { bytes: await png() }], 422, IMAGE_FAULTS.several],
  ['ten files', async () => Array.from({ length: 10 }, () => ({ bytes: 'x' })), 422, IMAGE_FAULTS.several],
  [
    'more than 10 MB',
    async () => [{ bytes: Buffer.concat([await png(), Buffer.alloc(MOST_IMAGE_BYTES)]) }],
    413,
    IMAGE_FAULTS.large,
  ],
]

describe('S2.9 refuses at its field, and keeps the previous image', () => {
  it.each(REFUSED)('refuses %s as an image', async (_what, filesOf, status, fault) => {
    const image = await imageOf(await upload(person, await png()))
    const answer = await send(person, formOf(await filesOf()))
    const body = (await answer.json()) as { message: string; errors: Record<string, string[]> }
    expect([answer.status, Object.keys(body.errors)]).toEqual([status, ['file']])
    expect(body.errors.file).toEqual([fault || body.message])
    expect((await person.visitor.get(image)).statusCode).toBe(200)
    expect((await acts(person.id)).filter((act) => act === 'profile-image-changed')).toHaveLength(1)
  })

  it('refuses a body that is not a multipart form', async () => {
    const answer = await person.visitor.post(
      '/profile/image',
      { file: 'data:image/png;base64,xx' },
      { script: true },
    )
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      { message: IMAGE_FAULTS.none, errors: { file: [IMAGE_FAULTS.none] } },
    ])
  })

  it.each([
    ['has no end', '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n\x89PNG'],
    ['has a part whose headers do not end', '--b\r\nContent-Disposition: form-data; name="fi'],
    ['is rubbish', 'x'.repeat(5000)],
  ])('refuses a body that %s', async (_what, body) => {
    const { visitor } = person
    await visitor.get('/findes-ikke')
    const answer = await new Promise<{ status: number; body: string }>((resolve, reject) => {
      const call = httpRequest(
        {
          port,
          host: '127.0.0.1',
          method: 'POST',
          path: '/profile/image',
          headers: {
            cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
            'x-xsrf-token': decodeURIComponent(visitor.cookies.get('XSRF-TOKEN')!),
            'x-requested-with': 'XMLHttpRequest',
            'content-type': 'multipart/form-data; boundary=b',
            'content-length': Buffer.byteLength(body),
          },
        },
        (response) =>
          void text(response).then((all) => resolve({ status: response.statusCode!, body: all }), reject),
      )
      call.on('error', reject)
      call.end(body)
    })
    expect([400, 422]).toContain(answer.status)
    expect(JSON.parse(answer.body)).toHaveProperty('message')
    expect((await rowOf(person.id)).image_key).toBeNull()
    await imageOf(await upload(person, await png())) // and the next upload works
  })
})

describe('at the same time', () => {
  it('five people who upload at the same time get their own images', async () => {
    const colours = ['#f00000', '#00f000', '#0000f0', '#f0f000', '#00f0f0']
    const people = await Promise.all(colours.map(() => enter(test, 'investor')))
    await Promise.all(
      people.map(async (each, index) =>
        imageOf(await upload(each, await plain(2000, 1500, colours[index]).jpeg().toBuffer())),
      ),
    )
    for (const [index, { id }] of people.entries()) {
      const wanted = colours[index]!.match(/\w\w/g)!.map((part) => parseInt(part, 16))
      expect(isNear(await colourAt((await rowOf(id)).large!, 0.5, 0.5), wanted)).toBe(true)
    }
  })

  it('makes a whole image although every piece of work is interrupted', async () => {
    let now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 100))
    onTestFinished(() => clock.mockRestore())
    const bytes = await png(2000, 1500)
    const answer = await upload(person, bytes)
    expect(await answer.text()).toContain('"image":')
  })

  it('does not call an image broken if the machine is too busy to make it in time', async () => {
    const { clockSeconds } = LIMITS
    onTestFinished(() => void (LIMITS.clockSeconds = clockSeconds))
    LIMITS.clockSeconds = 0.001
    const answer = await upload(person, await png())
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10'])
    expect(await answer.json()).toMatchObject({ errors: { file: [IMAGE_FAULTS.late] } })
    LIMITS.clockSeconds = clockSeconds
    await imageOf(await upload(person, await png()))
  })

  it('two simultaneous uploads of one person leave one complete image', async () => {
    for (let round = 0; round < 5; round++) {
      const [red, blue] = await Promise.all(
        ['#f00', '#00f'].map((each) => plain(200, 200, each).png().toBuffer()),
      )
      const images = await Promise.all(
        [upload(person, red!), upload(person, blue!)].map(async (each) => imageOf(await each)),
      )
      const { image_key: key, small, large } = await rowOf(person.id)
      expect(images.filter((each) => each.endsWith(key!))).toHaveLength(1)
      const colour = images[0]!.endsWith(key!) ? RED : BLUE
      for (const bytes of [small!, large!]) expect(isNear(await colourAt(bytes, 0.5, 0.5), colour)).toBe(true)
    }
  })

  it('answers 429 to more simultaneous uploads than a page sends', async () => {
    const bytes = await plain(4000, 3000).png({ compressionLevel: 0 }).toBuffer()
    expect(bytes.length).toBeGreaterThan(MOST_IMAGE_BYTES)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => upload(person, bytes.subarray(0, 9_000_000))),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses).toContain(429)
    expect(new Set(statuses)).toEqual(new Set([422, 429]))
    await imageOf(await upload(person, await png()))
  })
})

describe('access to an image', () => {
  it.each([
    ['administrator', 200],
    ['employee', 200],
    ['auditor', 404],
    ['investor', 404],
  ] as const)('a person of the role %s gets %d for an image', async (role, status) => {
    const image = await imageOf(await upload(person, await png()))
    const other = await enter(test, role)
    for (const size of ['', '?size=large', '?size=x'])
      expect((await other.visitor.get(image + size)).statusCode).toBe(status)
    expect((await person.visitor.get(image)).statusCode).toBe(200)
    expect(await imageOf(await upload(other, await png()))).toContain(`/users/${other.id}/`)
  })

  it('redirects a visitor who asks for an image', async () => {
    const image = await imageOf(await upload(person, await png()))
    expect((await fetch(`http://127.0.0.1:${port}${image}`, { redirect: 'manual' })).status).toBe(303)
  })

  it('answers 404 for an image under another person’s id or another key', async () => {
    const office = await enter(test, 'administrator')
    const image = await imageOf(await upload(person, await png()))
    const key = image.split('/').at(-1)!
    for (const address of [
      `/users/${office.id}/image/${key}`,
      `/users/${person.id}/image/${'0'.repeat(32)}`,
      `/users/${person.id}/image/x`,
      `/users/0/image/${key}`,
      `/users/x/image/${key}`,
      `/users/99999999999999999999/image/${key}`,
    ])
      expect([address, (await office.visitor.get(address)).statusCode]).toEqual([address, 404])
  })

  it('S2.9 an image is small for lists, and large on request', async () => {
    const image = await imageOf(await upload(person, await png()))
    for (const [query, side] of [
      ['', 72],
      ['?size=large', 256],
    ] as const) {
      const { rawPayload } = await person.visitor.get(image + query)
      expect((await sharp(rawPayload).metadata()).width).toBe(side)
    }
  })
})
