import { folderKey } from '../../projects/folder.ts'
import type { Meaning, UploadFolder, UploadMap } from '../names/placing.ts'
import type { Contradiction, Judgement } from '../papers/judgement.ts'
import type { Duplicate } from './duplicate.ts'
import { seenAgain, type AskedPaper, type SeenKinds } from './judgements.ts'
import { learn, NOTHING_KNOWN, type Known, type Meanings } from './pile.ts'
import { NOT_SAVED, nextSave, type SaveEvent, type SaveState } from './save-state.ts'

/** Everything that the upload page knows, except the files themselves, which the queue has. */
export type FormState = {
  /** Where names lead. */
  known: Known
  /** The server could not be asked where some names lead. */
  isLost: boolean
  /** The meanings of numbers that are both a project's and a person's. */
  meanings: Meanings
  /** Which files exist already, and the question that this answers. */
  found: ReadonlyMap<string, Duplicate & { for: string }>
  /** The judgements of papers, and the question that each answers. */
  judged: ReadonlyMap<string, { asked: string; judgement: Judgement }>
  /** How often the server was asked about papers, and how long to wait before the next time. */
  rounds: number
  pauseMs: number
  /** The contradictions that somebody has seen. */
  seen: ReadonlySet<string>
  /** Those seen on an earlier page, until their papers are judged on this one. */
  earlier: SeenKinds
  /** How often saving has stopped because something needs an answer: it is shown each time, even if it was folded away. */
  asked: number
  /** Whether it has stopped for that the last time. */
  isAsked: boolean
  /** The files that were to be saved when the person pressed save. */
  meant: ReadonlySet<string>
  save: SaveState
}

/** The page asks again while papers are read; less often while nothing changes. */
const FIRST_PAUSE_MS = 400
const LONGEST_PAUSE_MS = 5000

export const NEW_FORM: FormState = {
  known: NOTHING_KNOWN,
  isLost: false,
  meanings: new Map(),
  found: new Map(),
  judged: new Map(),
  rounds: 0,
  pauseMs: FIRST_PAUSE_MS,
  seen: new Set(),
  earlier: new Map(),
  asked: 0,
  isAsked: false,
  meant: new Set(),
  save: NOT_SAVED,
}

export type FormEvent =
  | { type: 'placed'; answer: UploadMap; asked: string[] }
  | { type: 'lost'; isLost: boolean }
  | { type: 'emptied' | 'moved' }
  | { type: 'decided'; number: string; meaning: Meaning }
  | { type: 'named'; number: string; text: string; folder: UploadFolder }
  | { type: 'compared'; found: readonly (readonly [id: string, found: Duplicate & { for: string }])[] }
  | { type: 'judged'; news: readonly { id: string; asked: string; judgement: Judgement }[] }
  | { type: 'contradicted'; papers: readonly AskedPaper[]; found: Record<string, Contradiction[]> }
  | { type: 'seen'; keys: readonly string[]; isSeen: boolean }
  | { type: 'seen-before'; kinds: SeenKinds }
  | { type: 'pressed'; meant: ReadonlySet<string> }
  | { type: 'unchosen' }
  | SaveEvent

export type Tell = (event: FormEvent) => void

export function nextForm(state: FormState, event: FormEvent): FormState {
  switch (event.type) {
    // An answer about a number holds for this pile, not for the next one.
    case 'emptied':
      return { ...state, meanings: new Map() }
    case 'placed':
      return { ...state, known: learn(state.known, event.answer, event.asked) }
    case 'lost':
      return { ...state, isLost: event.isLost }
    // Asks everything again: a folder may have been renamed meanwhile.
    case 'moved':
      return { ...state, known: NOTHING_KNOWN }
    case 'decided':
      return { ...state, meanings: new Map(state.meanings).set(event.number, event.meaning) }
    case 'named':
      return { ...state, known: withName(state.known, event) }
    case 'compared':
      return { ...state, found: new Map([...state.found, ...event.found]) }
    case 'judged':
      return afterReading(state, event.news)
    case 'contradicted':
      return { ...state, judged: new Map([...state.judged, ...contradicted(state, event)]) }
    case 'seen':
      return { ...state, seen: withSeen(state.seen, event) }
    case 'seen-before':
      return { ...state, earlier: new Map([...state.earlier, ...event.kinds]) }
    case 'pressed':
      return {
        ...state,
        meant: event.meant,
        isAsked: false,
        save: { ...state.save, step: 'waiting', fault: null },
      }
    case 'unchosen': {
      const save = nextSave(state.save, { type: 'stopped', fault: null })
      return { ...state, save, asked: state.asked + 1, isAsked: true }
    }
    default:
      return { ...state, save: nextSave(state.save, event) }
  }
}

/** Knows at once that a text leads to a folder. */
function withName(known: Known, { number, text, folder }: FormEvent & { type: 'named' }): Known {
  const project = known.projects[number]
  if (!project) return known
  const folders = { ...project.folders, [folderKey(text)]: folder }
  return { ...known, projects: { ...known.projects, [number]: { ...project, folders } } }
}

function withSeen(seen: FormState['seen'], { keys, isSeen }: FormEvent & { type: 'seen' }): Set<string> {
  const others = [...seen].filter((key) => !keys.includes(key))
  return new Set(isSeen ? [...others, ...keys] : others)
}

/** Stores the server's judgements of papers: none if it could not be asked. */
function afterReading(state: FormState, news: (FormEvent & { type: 'judged' })['news']): FormState {
  const answered = new Map(
    news.flatMap(({ id, judgement }) => (judgement.state === 'waiting' ? [] : [[id, judgement] as const])),
  )
  return {
    ...state,
    judged: new Map([...state.judged, ...news.map(({ id, ...rest }) => [id, rest] as const)]),
    rounds: state.rounds + 1,
    pauseMs: answered.size > 0 ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, state.pauseMs * 1.5),
    seen: new Set([...state.seen, ...seenAgain(answered, state.earlier)]),
    earlier: new Map([...state.earlier].filter(([id]) => !answered.has(id))),
  }
}

/** Stores the contradictions that the server found when the form was saved. */
function contradicted({ judged }: FormState, { papers, found }: FormEvent & { type: 'contradicted' }) {
  return papers.flatMap(({ id, asked, body: { hash_name: hash } }) => {
    const contradictions = Object.hasOwn(found, id) ? found[id] : undefined
    const own = judged.get(id)?.judgement ?? silent(hash)
    return contradictions
      ? [[id, { asked, judgement: { ...own, state: 'read' as const, contradictions } }] as const]
      : []
  })
}

/** The judgement of a paper that says nothing, or that the server no longer has. */
export const silent = (hashName: string): Judgement => ({
  hash_name: hashName,
  state: 'unreadable',
  sureness: 'unknown',
  best: null,
  second: null,
  contradictions: [],
})
