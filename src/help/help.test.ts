import { beforeAll, describe, expect, it } from 'vitest'
import sharp from 'sharp'
import { mkdir, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { freshApp, type TestApp } from '../../test/app.ts'
import { freshDirectory } from '../../test/directory.ts'
import { makeUser, PASSWORD } from '../../test/make.ts'
import { Visitor } from '../../test/visitor.ts'
import type { Role } from '../rights.ts'
import { openManual } from './open-manual.server.ts'

let test: TestApp
beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
})

async function visitorWith(role: Role | null): Promise<Visitor> {
  const visitor = new Visitor(test.app)
  if (role) await visitor.signIn((await makeUser(test.db, { role })).email, PASSWORD)
  return visitor
}

const htmlOf = async (visitor: Visitor, url: string) => {
  const { statusCode, body } = await visitor.get(url)
  return { statusCode, html: body.split('id="page"')[0]! } // without the data of the page
}

describe('the list of chapters', () => {
  it('lists the chapters that a role can use, and for strangers how to get in', async () => {
    const office = await htmlOf(await visitorWith('administrator'), '/help')
    expect(office.html).toContain('href="/help/webhooks#opret-en-webhook"')
    const investor = await htmlOf(await visitorWith('investor'), '/help')
    expect(investor.html).toContain('href="/help/mine-filer#send-filer-til-kontoret"')
    expect(investor.html).not.toMatch(/Webhook|Udsendelser/)
    const stranger = await htmlOf(await visitorWith(null), '/help')
    expect(stranger.html).toContain('href="/help/log-ind#glemt-adgangskode"')
    expect(stranger.html).not.toMatch(/Mine filer|Projekter/)
  })

  it('shows the hits of a search, with the words marked', async () => {
    const { html } = await htmlOf(await visitorWith('employee'), '/help?q=papirkurven')
    expect(html).toContain('href="/help/ret-filer#gendan-fra-papirkurven"')
    expect(html).toMatch(/Gendan fra <mark[^>]*>papirkurven<\/mark>/)
  })

  it('offers the chapters when a search finds nothing', async () => {
    const { statusCode, html } = await htmlOf(await visitorWith('investor'), '/help?q=%3Cb%3Ehvalfangst')
    expect(statusCode).toBe(200)
    expect(html).toContain('Der står ikke noget om ”<!-- -->&lt;b&gt;hvalfangst<!-- -->” i hjælpen.')
    expect(html).toContain('href="/help/mine-filer"')
  })

  it.each([`q=${'a'.repeat(5000)}`, 'q=%ff', 'q=&q=x', 'q[]=x', 'q=%00'])(
    'accepts the search %s',
    async (query) => {
      expect((await htmlOf(await visitorWith(null), `/help?${query}`)).statusCode).toBe(200)
    },
  )
})

describe('a chapter', () => {
  it('a chapter shows only the role’s own sections, and links to the role’s next chapter', async () => {
    const employee = await htmlOf(await visitorWith('employee'), '/help/personer')
    expect(employee.html).toContain('id="en-persons-side"')
    expect(employee.html).not.toContain('id="opret-en-person"')
    expect(employee.html).toMatch(/rel="next"[^>]*><span[^>]*>Næste emne: <\/span>API-nøgler/)
    const administrator = await htmlOf(await visitorWith('administrator'), '/help/personer')
    expect(administrator.html).toContain('id="opret-en-person"')
  })

  it('leads to a chapter from its old name', async () => {
    const { statusCode, headers } = await (await visitorWith('employee')).get('/help/brugere')
    expect([statusCode, headers.location]).toEqual([301, '/help/personer'])
  })

  it.each([
    ['investor', '/help/udsendelser'],
    [null, '/help/filer'],
    ['administrator', '/help/findes-ikke'],
    ['administrator', '/help/__proto__'],
    ['administrator', '/help/pictures/..%2f..%2fpackage.json'],
    [null, '/help/pictures/project-light.webp'],
  ] as const)('answers 404 to %s for %s', async (role, url) => {
    expect((await htmlOf(await visitorWith(role), url)).statusCode).toBe(404)
  })
})

it('every page links to its help, and sign-in to help for those who cannot sign in', async () => {
  const investor = await visitorWith('investor')
  const start = await htmlOf(investor, '/')
  expect(start.html).toContain('<a href="/help/forsiden#nyt-til-dig" aria-label="Hjælp til denne side"')
  const login = await htmlOf(await visitorWith(null), '/login')
  expect(login.html).toMatch(/href="\/help\/log-ind#kan-du-ikke-logge-ind"[^>]*>Kan du ikke logge ind\?</)
})

it('every picture of a chapter is public and cached for long, under an address of its own', async () => {
  const { html } = await htmlOf(await visitorWith(null), '/help/log-ind')
  for (const [, address] of html.matchAll(/<img[^>]* src="([^"]+)"/g)) {
    const { statusCode, headers } = await test.app.inject(address!)
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'image/webp',
      'public, max-age=31536000, immutable',
    ])
  }
})

describe('an installed manual', () => {
  async function install(files: Record<string, Buffer | string>) {
    const directory = await freshDirectory()
    const home = pathToFileURL(`${directory}/`)
    await mkdir(new URL('pictures/', home))
    for (const [name, bytes] of Object.entries(files)) await writeFile(new URL(name, home), bytes)
    return openManual({ text: new URL('manual.md', home), pictures: new URL('pictures/', home) })
  }
  const picture = (red: number) =>
    sharp({ create: { width: 8, height: 4, channels: 3, background: { r: red, g: 0, b: 0 } } })
      .webp()
      .toBuffer()

  it('reads both looks of a picture, each with its size and under its hash', async () => {
    const [light, dark] = await Promise.all([picture(255), picture(0)])
    const { pictures, readPicture } = await install({
      'manual.md': '## A\n\n*For alle*\n\nx',
      'pictures/log-light.webp': light,
      'pictures/log-dark.webp': dark,
      'pictures/secret.txt': 'x',
    })
    const log = pictures.get('log')
    expect(log).toEqual({
      light: expect.stringMatching(/^\/help\/pictures\/log-light-[0-9a-f]{12}\.webp$/),
      dark: expect.stringMatching(/^\/help\/pictures\/log-dark-[0-9a-f]{12}\.webp$/),
      width: 8,
      height: 4,
    })
    expect(await readPicture(log!.dark.split('/').at(-1)!)).toEqual(dark)
    expect(await readPicture('secret.txt')).toBeNull()
    expect(await readPicture('log-light.webp')).toBeNull()
  })

  it('a manual without pictures works', async () => {
    const directory = pathToFileURL(`${await freshDirectory()}/`)
    await writeFile(new URL('manual.md', directory), '## A\n\n*For alle*\n\nx')
    const { pictures } = await openManual({
      text: new URL('manual.md', directory),
      pictures: new URL('pictures/', directory),
    })
    expect(pictures.size).toBe(0)
  })
})
