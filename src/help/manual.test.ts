import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { PAGE_RIGHTS } from '../../test/page-rights.ts'
import type { PageName } from '../pages.ts'
import { may, ROLES, type Role } from '../rights.ts'
import { HELP, helpOf } from './help-of.ts'
import { addressOf, chaptersFor, isFor, linksIn, picturesIn, slugOf, type Chapter } from './manual.ts'
import { parseManual, readReaders } from './parse-manual.server.ts'

/** The pictures that `docs/pictures` must have. */
const PICTURES = [
  'start-office',
  'start-investor',
  'sign-in',
  'project',
  'upload',
  'release',
  'inbox',
  'people',
  'person',
  'search',
  'overview',
  'obligations',
  'office',
  'status',
  'log',
  'profile',
  'move-in',
  'report',
]

const READERS: (Role | null)[] = [null, ...ROLES]

let source: string
let manual: Chapter[]
beforeAll(async () => {
  source = await readFile(new URL('../../docs/brugervejledning.md', import.meta.url), 'utf8')
  manual = parseManual(source)
})

/** Lists the addresses that a reader can go to. */
const addressesFor = (role: Role | null) =>
  chaptersFor(manual, role).flatMap(({ slug, sections }) => [
    addressOf(slug),
    ...sections.map(({ id }) => addressOf(slug, id)),
  ])

const partsOf = (chapters: Chapter[]) => chapters.flatMap((chapter) => [chapter, ...chapter.sections])

describe('the manual', () => {
  it('every section’s readers can read its chapter', () => {
    for (const role of ROLES) expect(chaptersFor(manual, role).length).toBeGreaterThan(8)
    expect(chaptersFor(manual, null).map(({ slug }) => slug)).toEqual(['kom-i-gang', 'log-ind'])
    const strays = manual.flatMap(({ readers, sections }) =>
      sections.filter((section) =>
        READERS.some((role) => isFor(section.readers, role) && !isFor(readers, role)),
      ),
    )
    expect(strays.map(({ title }) => title)).toEqual([])
  })

  it('every chapter begins with what it is about, and no section is empty', () => {
    expect(manual.filter(({ blocks }) => blocks[0]?.kind !== 'paragraph').map(({ title }) => title)).toEqual(
      [],
    )
    const empty = manual.flatMap(({ sections }) => sections.filter(({ blocks }) => blocks.length === 0))
    expect(empty.map(({ title }) => title)).toEqual([])
  })

  it('every link leads to something that the reader of the link can read', () => {
    const dead = READERS.flatMap((role) => {
      const there = new Set(addressesFor(role))
      return partsOf(chaptersFor(manual, role)).flatMap(({ title, blocks }) =>
        linksIn(blocks)
          .filter((href) => !there.has(href))
          .map((href) => `${role ?? 'nobody'}: ${title} → ${href}`),
      )
    })
    expect(dead).toEqual([])
  })

  it('names all planned pictures, and no others', () => {
    const named = partsOf(manual).flatMap(({ blocks }) => picturesIn(blocks))
    expect(named.toSorted()).toEqual(PICTURES.toSorted())
  })

  it('tells an investor nothing that only the office has', () => {
    const titles = chaptersFor(manual, 'investor').map(({ title }) => title)
    expect(titles).toContain('Mine filer')
    expect(
      titles.filter((title) => /Upload|Udsendelser|Personer|Kontoret|Log$|Webhooks|Frister/.test(title)),
    ).toEqual([])
  })
})

describe('the help of a page', () => {
  const pages = Object.keys(HELP) as PageName[]
  it.each(pages)(
    'the help of the page %s is a section that everybody who may see the page can read',
    (page) => {
      const readers = READERS.filter((role) => may(role, PAGE_RIGHTS[page]))
      for (const role of readers)
        expect(['/help', ...addressesFor(role)], `for ${role ?? 'nobody'}`).toContain(helpOf(page, role))
      const isListed = page === 'gallery' || page.startsWith('help')
      if (!isListed) for (const role of ROLES) expect(helpOf(page, role)).not.toBe('/help')
    },
  )

  it('the help of a page with two rights is for people with either', () => {
    expect(addressesFor('administrator')).toContain(helpOf('lendings', 'administrator'))
    expect(addressesFor('administrator')).toContain(helpOf('log', 'administrator'))
  })
})

it.each([
  ['Kom i gang', 'kom-i-gang'],
  ['Når Ringbind spørger, om det er dig', 'naar-ringbind-spoerger-om-det-er-dig'],
  ['API-nøgler', 'api-noegler'],
  ['Kan du ikke logge ind?', 'kan-du-ikke-logge-ind'],
])('the address of the heading %s is %s', (title, slug) => {
  expect(slugOf(title)).toBe(slug)
})

it.each([
  ['For alle', [...ROLES], false],
  ['For alle, også uden login', [...ROLES], true],
  ['For kontoret', ['administrator', 'employee'], false],
  ['For investorer, revisorer og rådgivere', ['auditor', 'investor', 'adviser'], false],
])('the readers of %s are %j', (line, roles, isPublic) => {
  expect(readReaders(line)).toEqual({ roles, isPublic })
})

describe('parsing', () => {
  it('reads chapters, sections, readers and blocks', () => {
    const [chapter] = parseManual(
      '# Titel\n\nForord\n\n## Filer\n\n*For alle*\n\nOm *filer* & `<b>`.\n\n### Åbn\n\n*For investorer*\n\n- Tryk **her**, se [Filer](#filer)\n- og her\n\n![Et billede](pictures/project-light.webp)\n',
    )
    expect(chapter).toEqual({
      slug: 'filer',
      title: 'Filer',
      readers: { roles: [...ROLES], isPublic: false },
      blocks: [
        {
          kind: 'paragraph',
          parts: [
            { kind: 'text', text: 'Om ' },
            { kind: 'emphasis', parts: [{ kind: 'text', text: 'filer' }] },
            { kind: 'text', text: ' & ' },
            { kind: 'code', text: '<b>' },
            { kind: 'text', text: '.' },
          ],
        },
      ],
      sections: [
        {
          id: 'aabn',
          title: 'Åbn',
          readers: { roles: ['investor'], isPublic: false },
          blocks: [
            {
              kind: 'list',
              isNumbered: false,
              items: [
                [
                  {
                    kind: 'paragraph',
                    parts: [
                      { kind: 'text', text: 'Tryk ' },
                      { kind: 'strong', parts: [{ kind: 'text', text: 'her' }] },
                      { kind: 'text', text: ', se ' },
                      { kind: 'link', href: '/help/filer', parts: [{ kind: 'text', text: 'Filer' }] },
                    ],
                  },
                ],
                [{ kind: 'paragraph', parts: [{ kind: 'text', text: 'og her' }] }],
              ],
            },
            { kind: 'picture', name: 'project', text: 'Et billede' },
          ],
        },
      ],
    })
  })

  it.each([
    ['a chapter for nobody', '## Filer\n\nOm filer', "does not say whom 'Filer' is for"],
    ['a role that there is not', '## Filer\n\n*For konger*', "is for 'konger', who is nobody"],
    ['a heading twice', '## A\n\n*For alle*\n\n## A\n\n*For alle*', "the heading 'A' twice"],
    ['a deeper heading', '## A\n\n*For alle*\n\n#### B', "no place for the heading 'B'"],
    ['a section before the first chapter', '### A', "no place for the heading 'A'"],
    ['a dead link', '## A\n\n*For alle*\n\n[b](#b)', 'links to nothing: [b](#b)'],
    ['a link that leads out', '## A\n\n*For alle*\n\n[b](javascript:alert(1))', 'links to nothing'],
    ['a picture from elsewhere', '## A\n\n*For alle*\n\n![b](https://example.dk/b.png)', 'picture without'],
    ['HTML', '## A\n\n*For alle*\n\n<script>alert(1)</script>', 'cannot show this (html)'],
    ['HTML in a line', '## A\n\n*For alle*\n\nx <b>y</b>', 'cannot show this (html)'],
    ['a quote', '## A\n\n*For alle*\n\n> x', 'cannot show this (blockquote)'],
  ])('refuses %s', (_what, text, fault) => {
    expect(() => parseManual(text)).toThrow(fault)
  })
})
