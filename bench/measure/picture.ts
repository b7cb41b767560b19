import type { Entry, PartRecord } from './record.ts'
import { figure, mostOf, timesOf } from './result.ts'

// The picture docs/performance.svg. It has no viewBox: letters keep their size, and bars take the room that there is.

/** The scale, in times the limit. Figures outside it are drawn at its end. */
const [LEAST, MOST] = [0.1, 40]
const GRID = [0.1, 1, 10]
/** How much of the width the bars take; figures stand to their right. */
const BARS_PERCENT = 45

const [TOP, HEAD, ROW, BOTTOM] = [104, 42, 38, 16]

type Bar = { what: string; worst: Entry; others: Entry[] }

/** Draws a bar for each result that has an aim. Results of a family share the bar of the worst of them. */
export function draw(parts: { name: string; title: string }[], records: PartRecord[]): string {
  const groups = parts.flatMap(({ name, title }) => {
    const bars = barsOf(records.find((each) => each.name === name)?.results ?? [])
    return bars.length > 0 ? [{ title, bars }] : []
  })
  const all = records.flatMap(({ results }) => results).filter(({ met }) => met !== null)
  const missed = all.filter(({ met }) => met === false).length
  const rows: string[] = []
  let y = TOP
  for (const { title, bars } of groups) {
    rows.push(`<text class="head" x="0" y="${y + 28}">${escaped(title)}</text>`)
    y += HEAD
    for (const bar of bars) {
      rows.push(drawBar(bar, y))
      y += ROW
    }
  }
  const height = y + BOTTOM
  return `<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="${height}" role="img" aria-labelledby="title desc">
<title id="title">Every measurement as many times its limit</title>
<desc id="desc">${escaped(descriptionOf(groups, all.length, missed))}</desc>
<style>${STYLE}</style>
<rect class="canvas" width="100%" height="100%"/>
<svg class="sheet" x="2%" width="96%" height="${height}">
<text class="name" x="0" y="26">As many times its limit; less is better.</text>
<text class="small" x="0" y="46">${all.length - missed} of ${all.length} meet their aims.</text>
${key()}
${GRID.map((times) => gridLine(times, height)).join('\n')}
${rows.join('\n')}
</svg>
</svg>
`
}

function barsOf(results: Entry[]): Bar[] {
  const bars = new Map<string, Entry[]>()
  for (const entry of results) {
    if (entry.met === null) continue
    const what = entry.family ?? entry.what
    bars.set(what, [...(bars.get(what) ?? []), entry])
  }
  return [...bars].map(([what, entries]) => {
    const [worst, ...others] = entries.toSorted((a, b) => shareOf(b) - shareOf(a))
    return {
      what: entries.length > 1 ? `${what}: ${entries.length}, the worst` : what,
      worst: worst!,
      others,
    }
  })
}

/** How much of its aim a result takes. */
const shareOf = (entry: Entry) => (timesOf(entry) ?? 0) / (mostOf(entry) ?? 1)

function drawBar({ what, worst, others }: Bar, y: number): string {
  const [times, most, isMissed] = [timesOf(worst) ?? 0, mostOf(worst) ?? 1, worst.met === false]
  const told = `${figure(times)} ×, aim ${figure(most)}${isMissed ? ', missed' : ''}`
  const line = y + 22
  const dots = others.map(
    (entry) => `<rect class="dot" x="${xOf(timesOf(entry) ?? 0)}" y="${line}" width="2" height="8"/>`,
  )
  return `<g class="${isMissed ? 'missed' : 'met'}">
<text class="name" x="0" y="${y + 15}">${escaped(cut(what))}</text>
<rect class="bar" x="0" y="${line}" width="${xOf(times)}" height="8"/>${dots.join('')}
<rect class="aim" x="${xOf(most)}" y="${line - 4}" width="2" height="16"/>
<svg class="told" x="${BARS_PERCENT + 1}%" y="${line - 2}" height="12"><svg width="12" height="12" viewBox="0 0 12 12">${isMissed ? CROSS : TICK}</svg><text class="figure" x="18" y="11">${told}</text></svg>
</g>`
}

const TICK = '<path class="mark" d="M1.5 6.5 4.5 9.5 10.5 2.5"/>'
const CROSS = '<path class="mark" d="M2 2 10 10M10 2 2 10"/>'

/** Says what the signs mean. */
function key(): string {
  return `<g class="met"><rect class="bar" x="0" y="60" width="28" height="8"/><text class="small" x="34" y="69">measured</text>
<rect class="dot" x="104" y="60" width="2" height="8"/><text class="small" x="112" y="69">others like it</text>
<rect class="aim" x="206" y="56" width="2" height="16"/><text class="small" x="214" y="69">aim</text></g>`
}

function gridLine(times: number, height: number): string {
  const name = times === 1 ? 'limit' : `${times} ×`
  const anchor = times === LEAST ? 'start' : 'middle'
  return `<line class="${times === 1 ? 'limit' : 'grid'}" x1="${xOf(times)}" x2="${xOf(times)}" y1="${TOP - 2}" y2="${height}"/>
<text class="small" x="${xOf(times)}" y="${TOP - 8}" text-anchor="${anchor}">${name}</text>`
}

/** Returns the position of a figure on the scale, as a share of the width. */
function xOf(times: number): string {
  const place = Math.log(Math.min(Math.max(times, LEAST), MOST) / LEAST) / Math.log(MOST / LEAST)
  return `${(place * BARS_PERCENT).toFixed(2)}%`
}

function descriptionOf(groups: { title: string; bars: Bar[] }[], many: number, missed: number): string {
  const texts = groups.map(({ title, bars }) => {
    const each = bars.map(({ what, worst }) => {
      const [times, most] = [timesOf(worst) ?? 0, mostOf(worst) ?? 1]
      return `${what}, ${figure(times)} times, aim ${figure(most)}, ${worst.met === false ? 'missed' : 'met'}`
    })
    return `${title}: ${each.join('; ')}.`
  })
  return `${many - missed} of ${many} measurements meet their aims. ${texts.join(' ')}`
}

/** So long that it fits on a phone. */
const cut = (text: string) => (text.length > 50 ? `${text.slice(0, 49)}…` : text)

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

// The colours of docs/design.md.
const STYLE = `
.sheet,.told{overflow:visible}
text{font-family:Inter,system-ui,sans-serif;font-size:12px;fill:#15212B}
.head,.name{paint-order:stroke;stroke:#FFFFFF;stroke-width:4px}
.head{font-size:14px;font-weight:600}.small,.figure{fill:#53616D}.figure{font-variant-numeric:tabular-nums}
.canvas{fill:#FFFFFF}.grid{stroke:#DFE4E8}.limit{stroke:#84919D}.bar{fill:#0B5A6F}.aim{fill:#15212B}.dot{fill:#84919D}
.mark{fill:none;stroke:#1F6B3A;stroke-width:2}.missed .bar{fill:#B3261E}.missed .mark{stroke:#B3261E}.missed .figure{fill:#B3261E}
@media(prefers-color-scheme:dark){text{fill:#E8EDF1}.head,.name{stroke:#161F27}.small,.figure{fill:#9FB0BD}.canvas{fill:#161F27}.grid{stroke:#2A3742}.limit{stroke:#6B7C8A}
.bar{fill:#6CC3D8}.aim{fill:#E8EDF1}.dot{fill:#6B7C8A}.mark{stroke:#7FD29A}.missed .bar{fill:#FF9B92}.missed .mark{stroke:#FF9B92}.missed .figure{fill:#FF9B92}}
`.trim()
