import { formatBytes } from '../../base/bytes.ts'
import { formatCount } from '../../base/danish/counts.ts'
import { writeDay } from '../../base/time/days.ts'
import { countFiles } from '../../projects/folder.ts'
import { escapeHtml } from '../../ui/basic/stencil.ts'

/** The contents of a package, in order. */
export type PackageContents = {
  year: number
  /** 'Bo Holm', '1024 K/S Nordhavn'. */
  whose: string
  /** The office's name; '' if it has none. */
  office: string
  groups: ContentsGroup[]
}

/** A project, or somebody's own files. */
export type ContentsGroup = { name: string; folders: ContentsFolder[] }

/** A person's own files are in no folder: ''. */
type ContentsFolder = { name: string; files: ContentsFile[] }

type ContentsFile = {
  name: string
  /** Its path in the package, relative to the page. */
  path: string
  /** '3. kvartal 2025'. */
  period: string
  /** '2026-03-31'. */
  day: string
  size: number
}

/**
 * Writes the table of contents of a package: one page that needs nothing else, opens without a network and prints. The same
 * contents give the same bytes.
 */
export function contentsPage({ year, whose, office, groups }: PackageContents): string {
  const title = `Årspakke ${year}`
  const sum = sumOf(groups.flatMap(filesOf))
  return `<!doctype html>
<html lang="da">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(`${title} – ${whose}`)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
${office && `<p class="quiet">${escapeHtml(office)}</p>\n`}<h1>${title}</h1>
<p><strong>${escapeHtml(whose)}</strong> · ${sum}</p>
<p class="quiet hint">Pak ZIP-filen ud, før du åbner filerne herfra. Ellers finder linkene dem ikke.</p>
</header>
${groups.length > 1 ? overviewOf(groups) : ''}${groups.map(sectionOf).join('')}</main>
</body>
</html>
`
}

const filesOf = ({ folders }: ContentsGroup) => folders.flatMap(({ files }) => files)
const bytesOf = (files: ContentsFile[]) => files.reduce((bytes, { size }) => bytes + size, 0)
const sumOf = (files: ContentsFile[]) => `${countFiles(files.length)} · ${formatBytes(bytesOf(files))}`

function overviewOf(groups: ContentsGroup[]): string {
  const row = (name: string, files: ContentsFile[]) =>
    `<th scope="row">${name}</th><td class="number">${formatCount(files.length)}</td><td class="number">${formatBytes(bytesOf(files))}</td>`
  const rows = groups.map(
    (group, index) =>
      `<tr>${row(`<a href="#del-${index + 1}">${escapeHtml(group.name)}</a>`, filesOf(group))}</tr>\n`,
  )
  return `<nav aria-label="Oversigt">
<table>
<thead><tr><th scope="col">Indhold</th><th scope="col" class="number">Filer</th><th scope="col" class="number">Størrelse</th></tr></thead>
<tbody>
${rows.join('')}</tbody>
<tfoot><tr>${row('I alt', groups.flatMap(filesOf))}</tr></tfoot>
</table>
</nav>
`
}

function sectionOf(group: ContentsGroup, index: number): string {
  return `<section id="del-${index + 1}" aria-labelledby="navn-${index + 1}">
<h2 id="navn-${index + 1}">${escapeHtml(group.name)}</h2>
<p class="quiet">${sumOf(filesOf(group))}</p>
<table>
<thead><tr><th scope="col">Fil</th><th scope="col">Periode</th><th scope="col">Dato</th><th scope="col" class="number">Størrelse</th></tr></thead>
${group.folders.map(folderOf).join('')}</table>
</section>
`
}

function folderOf({ name, files }: ContentsFolder): string {
  const head = name && `<tr><th scope="rowgroup" colspan="4">${escapeHtml(name)}</th></tr>\n`
  return `<tbody>
${head}${files.map(fileOf).join('')}</tbody>
`
}

const fileOf = ({ name, path, period, day, size }: ContentsFile) =>
  `<tr><td><a href="${escapeHtml(addressOf(path))}">${escapeHtml(name)}</a></td><td>${escapeHtml(period)}</td><td class="number left">${writeDay(day)}</td><td class="number">${formatBytes(size)}</td></tr>\n`

/** A relative address; './' keeps a name like 'javascript:' from being more than a name. */
const addressOf = (path: string) => `./${path.split('/').map(encodeURIComponent).join('/')}`

/** The colours of the product. */
const STYLE = `
:root { --canvas: #f6f7f8; --surface: #fff; --sunken: #f1f3f5; --line: #dfe4e8; --ink: #15212b; --muted: #53616d; --accent: #0b5a6f }
@media (prefers-color-scheme: dark) {
  :root { --canvas: #0f161c; --surface: #161f27; --sunken: #121a21; --line: #2a3742; --ink: #e8edf1; --muted: #9fb0bd; --accent: #6cc3d8 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--canvas); color: var(--ink); font: 14px/20px system-ui, sans-serif; -webkit-text-size-adjust: 100% }
main { max-width: 960px; margin: 0 auto; padding: 32px 16px }
h1 { margin: 0 0 4px; font-size: 24px; line-height: 32px }
h2 { margin: 0; font-size: 16px; line-height: 24px; overflow-wrap: anywhere }
p { margin: 0 0 8px; overflow-wrap: anywhere }
.quiet { color: var(--muted) }
nav, section { margin-top: 24px; padding: 16px; background: var(--surface); border: 1px solid var(--line); border-radius: 12px }
table { width: 100%; border-collapse: collapse }
th, td { padding: 6px 8px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; overflow-wrap: anywhere }
thead th { color: var(--muted); font-size: 12px; line-height: 16px; background: var(--sunken); white-space: nowrap }
th[scope=rowgroup], tfoot th, tfoot td { font-weight: 600 }
tbody + tbody th[scope=rowgroup] { padding-top: 16px }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
.left { text-align: left }
a { color: var(--accent); text-underline-offset: 2px }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
@media (max-width: 560px) {
  section thead { display: none }
  section tr { display: flex; flex-wrap: wrap; padding: 6px 0; border-bottom: 1px solid var(--line) }
  section td { padding: 0 8px; border: 0; color: var(--muted); font-size: 12px }
  section td:first-child { flex: 0 0 100%; font-size: 14px }
  section th { border: 0 }
  section td:empty { display: none }
  section .number:last-child { margin-left: auto }
}
@media print {
  :root { --canvas: #fff; --surface: #fff; --sunken: #fff; --line: #ccc; --ink: #000; --muted: #444; --accent: #000 }
  main { max-width: none; padding: 0 }
  nav, section { padding: 0; border: 0 }
  h2, th[scope=rowgroup] { break-after: avoid }
  tr { break-inside: avoid }
  .hint { display: none }
  a { text-decoration: none }
}
`
