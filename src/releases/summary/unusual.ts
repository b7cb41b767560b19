import { listed } from '../../base/danish/listed.ts'
import { formatCount } from '../../base/danish/counts.ts'
import type { HeldPapers } from '../held/held.ts'
import { type PaperFilter } from '../release/release-paper.ts'
import { countPapers, type PersonFilter, type ReleaseState } from '../release/release.ts'

/** A warning about papers that somebody in the office has accepted. */
export type Accepted = { by: string; papers: number; at: string }

/** Facts about the papers of a release, besides their number. */
export type Doubts = {
  /** Papers in the trash, and those that a newer version has replaced since. */
  deleted: number
  replaced: number
  /** Folders that have several of its papers, while nearly all have one. */
  crowded: number
  /** Papers that replace a version which somebody outside the office has opened. */
  reopened: number
  accepted: Accepted[]
}

type Known = Doubts & {
  state: ReleaseState
  held: Pick<HeldPapers, 'reading' | 'total'>
  /** Recipients who get no mail, and mails that did not arrive. */
  silent: number
  failed: number
}

/** A line about something unusual, and the tab and filter that show it. */
export type Unusual = {
  text: string
  tab: 'papers' | 'recipients' | 'history' | null
  filter?: PaperFilter | PersonFilter
}

const OUT = new Set<ReleaseState>(['published', 'recalled'])

/** Lists what somebody should look at before the rest, the most serious first. */
export function unusualOf(known: Known): Unusual[] {
  const { held, deleted, replaced, crowded, reopened, accepted, silent, failed } = known
  const isOpen = !OUT.has(known.state)
  const lines: (Unusual | false)[] = [
    held.total > 0 && { text: `${countPapers(held.total)} er holdt tilbage`, tab: 'papers', filter: 'held' },
    failed > 0 && {
      text: `${failed === 1 ? '1 mail' : `${formatCount(failed)} mails`} kom ikke frem`,
      tab: 'recipients',
      filter: 'failed',
    },
    accepted.length > 0 && { text: acceptedText(accepted), tab: 'history' },
    // Once they are published, an opening may be of the new version.
    isOpen &&
      reopened > 0 && {
        text: `${countPapers(reopened)} erstatter en version, som nogen har åbnet`,
        tab: 'papers',
        filter: 'versions',
      },
    isOpen &&
      crowded > 0 && {
        text: `${crowded === 1 ? '1 mappe' : `${formatCount(crowded)} mapper`} får mere end ét papir`,
        tab: 'papers',
        filter: 'crowded',
      },
    silent > 0 && {
      text: `${silent === 1 ? '1 modtager' : `${formatCount(silent)} modtagere`} får ingen mail`,
      tab: 'recipients',
      filter: 'silent',
    },
    held.reading > 0 && { text: `${countPapers(held.reading)} læses nu`, tab: 'papers', filter: 'held' },
    deleted > 0 && { text: deletedText(deleted, isOpen), tab: null },
    replaced > 0 && {
      text: `${countPapers(replaced)} er siden erstattet af en nyere version`,
      tab: null,
    },
  ]
  return lines.filter((line) => line !== false)
}

/** 'Advarsler om 3 papirer er accepteret af Bo Holm og Ida Lund'. */
function acceptedText(accepted: readonly Accepted[]): string {
  const papers = accepted.reduce((sum, each) => sum + each.papers, 0)
  const by = listed(accepted.map((each) => each.by))
  return `${papers === 1 ? 'Advarsel om 1 papir' : `Advarsler om ${countPapers(papers)}`} er accepteret af ${by}`
}

function deletedText(deleted: number, isOpen: boolean): string {
  const they = deleted === 1 ? 'det' : 'de'
  return `${countPapers(deleted)} ligger i papirkurven${isOpen ? ` og udgives med resten, hvis ${they} gendannes` : ''}`
}
