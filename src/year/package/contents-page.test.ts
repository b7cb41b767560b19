import { expect, it } from 'vitest'
import { contentsPage, type PackageContents } from './contents-page.ts'

const file = (name: string, more: Partial<PackageContents['groups'][0]['folders'][0]['files'][0]> = {}) => ({
  name,
  path: `1024 K-S Nordhavn/Årsrapport/${name}`,
  period: '2025',
  day: '2026-03-31',
  size: 1536,
  ...more,
})

const contents = (more: Partial<PackageContents> = {}): PackageContents => ({
  year: 2025,
  whose: 'Bo Holm',
  office: 'Nordisk Administration',
  groups: [{ name: '1024 K/S Nordhavn', folders: [{ name: 'Årsrapport', files: [file('a.pdf')] }] }],
  ...more,
})

it('the contents page names its person, the office, and each file with its period, day and size', () => {
  const page = contentsPage(contents())
  for (const part of [
    '<title>Årspakke 2025 – Bo Holm</title>',
    '<p class="quiet">Nordisk Administration</p>',
    '<h1>Årspakke 2025</h1>',
    '<strong>Bo Holm</strong> · 1 fil · 1.5 KB',
    '>1024 K/S Nordhavn</h2>',
    '<th scope="rowgroup" colspan="4">Årsrapport</th>',
    '<td>2025</td><td class="number left">31/03/2026</td><td class="number">1.5 KB</td>',
  ])
    expect(page).toContain(part)
  expect(page).not.toContain('<nav')
})

it('the contents page adds up several projects, and own files without a folder', () => {
  const own = { name: 'Mine filer', folders: [{ name: '', files: [file('b.pdf', { size: 512 })] }] }
  const page = contentsPage(contents({ groups: [...contents().groups, own] }))
  expect(page).toContain(
    '<th scope="row"><a href="#del-2">Mine filer</a></th><td class="number">1</td><td class="number">512 Bytes</td>',
  )
  expect(page).toContain('<th scope="row">I alt</th><td class="number">2</td><td class="number">2 KB</td>')
  expect(page.match(/rowgroup" colspan/g)).toHaveLength(1)
})

it.each([
  ['<b>&"\'.pdf', '&lt;b&gt;&amp;&quot;&#x27;.pdf', '%3Cb%3E%26%22&#x27;.pdf'],
  ['50 %#?.pdf', '50 %#?.pdf', '50%20%25%23%3F.pdf'],
  ['javascript:alert(1)', 'javascript:alert(1)', 'javascript%3Aalert(1)'],
  ['Årsrapport æøå.pdf', 'Årsrapport æøå.pdf', '%C3%85rsrapport%20%C3%A6%C3%B8%C3%A5.pdf'],
])('the contents page escapes %s in text and address', (name, text, address) => {
  const group = { name, folders: [{ name, files: [file(name, { path: `M/${name}`, period: name })] }] }
  const page = contentsPage(contents({ whose: name, office: name, groups: [group, group] }))
  expect(page).toContain(`<a href="./M/${address}">${text}</a>`)
  if (name.includes('<')) expect(page).not.toContain('<b>')
})

it('is the same for the same contents, and asks for nothing from elsewhere', () => {
  const page = contentsPage(contents())
  expect(contentsPage(contents())).toBe(page)
  expect(page).not.toMatch(/https?:|src=|@import|url\(/)
  expect(page).toContain("default-src 'none'")
})
