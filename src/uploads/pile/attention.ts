import { sumOf, type Upload } from '../transport/upload.ts'
import type { Contradiction } from '../papers/judgement.ts'
import type { Finding, Findings } from './duplicate.ts'
import { seenKey, type Judgements } from './judgements.ts'
import { isAtOnePlace, type Group, type Ignored, type Pile, type UploadForm } from './pile.ts'

/** Why somebody should look at a file. The first ones come first on the page. */
const LOOK_KINDS = [
  'failed',
  'project',
  'person',
  'cpr',
  'year',
  'place',
  'same-name',
  'near',
  'nearly',
  'owners',
  'maybe',
] as const
export type LookKind = (typeof LOOK_KINDS)[number]

/**
 * Where a file stands: it is saved as it is ('ready'), its paper says for certain where it belongs ('sure'), somebody should
 * look at it, or nothing says where it belongs.
 */
export type Standing = { group: 'ready' | 'sure' | 'nowhere' } | { group: 'look'; why: LookKind }

const READY: Standing = { group: 'ready' }
const look = (why: LookKind): Standing => ({ group: 'look', why })

type Placed = {
  upload: Pick<Upload, 'state' | 'choice'>
  finding: Pick<Finding, 'kind' | 'isSkipped'> | undefined
  /** The contradictions of its paper that nobody has seen. */
  open: readonly Pick<Contradiction, 'kind'>[]
}

/** Returns where a file stands that has its place. */
export function standingOfPlaced({ upload, finding, open }: Placed): Standing {
  if (finding?.isSkipped) return READY
  if (upload.state === 'failed') return look('failed')
  // An unreadable file is saved, and held.
  const kinds = new Set<string>(open.map(({ kind }) => kind))
  const first = LOOK_KINDS.find((kind) => kinds.has(kind))
  if (first) return look(first)
  return finding?.kind === 'same-name' && upload.choice === null ? look('same-name') : READY
}

/** Returns where a file stands whose name leads nowhere. */
export function standingOfIgnored({ fault, proposal, judgement }: Omit<Ignored, 'upload'>): Standing {
  if (judgement?.owners) return look('owners')
  if (judgement?.best && judgement.sureness === 'maybe') return look('maybe')
  if (proposal !== null && judgement?.sureness === 'sure' && proposal === judgement.best?.name)
    return { group: 'sure' }
  if (proposal !== null) return look('nearly')
  return fault.kind === 'folder' && fault.near !== null ? look('near') : { group: 'nowhere' }
}

/** A file to look at: where it would be saved, or why its name leads nowhere. */
export type Looked = { upload: Upload; group: Group } | { upload: Upload; ignored: Ignored }

/** Files to look at for the same reason. */
export type Look = { key: string; why: LookKind; files: Looked[] }

export type Attention = {
  sure: Ignored[]
  looks: Look[]
  nowhere: Ignored[]
  ready: Group[]
}

/** Divides a pile by what it needs from a person. A form with one place shows one group (S4.6), and notes in its rows. */
export function attentionOf(
  form: UploadForm,
  { groups, ignored }: Pick<Pile, 'groups' | 'ignored'>,
  findings: Findings,
  judgements: Judgements,
  seen: ReadonlySet<string>,
): Attention {
  const found: Attention = { sure: [], looks: [], nowhere: [], ready: [] }
  if (isAtOnePlace(form)) return { ...found, nowhere: ignored, ready: groups }
  const looks = new Map<string, Look>()
  const add = (why: LookKind, key: string, file: Looked) => {
    const known = looks.get(key) ?? { key, why, files: [] }
    looks.set(key, known)
    known.files.push(file)
  }
  for (const group of groups) {
    const ready = group.uploads.filter((upload) => {
      const contradictions = judgements.get(upload.id)?.contradictions ?? []
      const open = contradictions.filter((each) => !seen.has(seenKey(upload.id, each)))
      const standing = standingOfPlaced({ upload, finding: findings.get(upload.id), open })
      if (standing.group === 'look') add(standing.why, standing.why, { upload, group })
      return standing.group === 'ready'
    })
    if (ready.length === group.uploads.length) found.ready.push(group)
    else if (ready.length > 0) found.ready.push({ ...group, uploads: ready, bytes: sumOf(ready, 'size') })
  }
  for (const each of ignored) {
    const standing = standingOfIgnored(each)
    const { upload, fault } = each
    // The same misspelt folder is put right everywhere at once.
    const near = fault.kind === 'folder' ? `\n${fault.folder}\n${fault.near}` : ''
    if (standing.group === 'look')
      add(standing.why, standing.why === 'near' ? `near${near}` : standing.why, { upload, ignored: each })
    else if (standing.group === 'sure') found.sure.push(each)
    else found.nowhere.push(each)
  }
  found.looks = [...looks.values()].sort((a, b) => LOOK_KINDS.indexOf(a.why) - LOOK_KINDS.indexOf(b.why))
  return found
}

/** Returns whether the files are not saved before somebody has looked at them. */
export const isBlocking = ({ why, files }: Look, findings: Findings): boolean =>
  why === 'same-name'
    ? files.some(({ upload }) => findings.get(upload.id)?.choice === null)
    : isContradiction(why)

export const isContradiction = (why: LookKind) => CONTRADICTIONS.has(why)

const CONTRADICTIONS: ReadonlySet<LookKind> = new Set<LookKind>(['project', 'person', 'cpr', 'year', 'place'])

/** 'Papiret er fra et andet år': the heading over files with the same reason. */
export function lookText({ why, files }: Look): string {
  const [first] = files
  const fault = first && 'ignored' in first ? first.ignored.fault : null
  if (why === 'near' && fault?.kind === 'folder') return `Mappen ”${fault.folder}” findes ikke`
  return TEXTS[why]
}

const TEXTS: Record<LookKind, string> = {
  failed: 'Kunne ikke sendes',
  project: 'Papiret nævner et andet projekt',
  person: 'Papiret er stilet til en anden',
  cpr: 'Investorer ville se noget, der ligner et CPR-nummer',
  year: 'Papiret er fra et andet år',
  place: 'Ringbind kan ikke se, om papiret hører til her',
  'same-name': 'En anden fil har samme navn',
  near: 'Mappen findes ikke',
  nearly: 'Navnet følger næsten reglen',
  owners: 'Papiret er til flere',
  maybe: 'Måske: se på forslagene',
}
