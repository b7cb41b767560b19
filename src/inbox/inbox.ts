import type { FileOwner } from '../access/reader.ts'
import type { HeldState } from '../files/file/stored-file.ts'
import type { Intake, IntakeFile } from '../intake/intake.ts'
import { spokenTime } from '../base/time/dates.ts'

/** What is sent with one save, or handed in at once, is new until somebody in the office takes or finishes it. */
export type InboxState = 'new' | 'taken' | 'done'

export const INBOX_ACTS = ['take', 'take-over', 'put-back', 'finish', 'reopen'] as const
export type InboxAct = (typeof INBOX_ACTS)[number]

export const ACT_TEXTS: Record<InboxAct, string> = {
  take: 'Tag den',
  'take-over': 'Overtag',
  'put-back': 'Læg tilbage',
  finish: 'Færdig',
  reopen: 'Åbn igen',
}

/** `by` is the person who has taken or finished it; null for a new item, and for items older than the inbox. */
export type Standing = { state: InboxState; by: number | null }

type Place = 'new' | 'mine' | 'taken' | 'my-done' | 'done'
type Next = InboxState | 'conflict' | null

const NEXT: Record<InboxAct, Record<Place, Next>> = {
  take: { new: 'taken', mine: null, taken: 'conflict', 'my-done': 'conflict', done: 'conflict' },
  'take-over': { new: 'taken', mine: null, taken: 'taken', 'my-done': 'conflict', done: 'conflict' },
  'put-back': { new: null, mine: 'new', taken: 'conflict', 'my-done': 'conflict', done: 'conflict' },
  finish: { new: 'done', mine: 'done', taken: 'conflict', 'my-done': null, done: 'conflict' },
  reopen: { new: null, mine: null, taken: 'conflict', 'my-done': 'new', done: 'new' },
}

/**
 * Returns the state after an act. Null if it has that state already, as after a double click. 'conflict' if somebody
 * took or finished it meanwhile.
 */
export function stateAfter(act: InboxAct, { state, by }: Standing, me: number): Next {
  if (by !== me) return NEXT[act][state]
  return NEXT[act][state === 'done' ? 'my-done' : 'mine']
}

/** Whether the page offers to sort the waiting files: to the person who has taken the item, or may take it. */
export const maySort = ({ state, by, intake }: Pick<InboxItem, 'state' | 'by' | 'intake'>, me: number) =>
  intake !== null && intake.waiting > 0 && (state === 'new' || (state === 'taken' && by?.id === me))

/** Returns the acts that the page offers to a person. */
export function offeredActs({ state, by }: Standing, me: number): InboxAct[] {
  if (state === 'new') return ['take', 'finish']
  if (state === 'done') return ['reopen']
  return by === me ? ['finish', 'put-back'] : ['take-over']
}

/** A file of what was sent. */
export type InboxFile = {
  id: number
  name: string
  path: string
  owner: FileOwner
  in_trash: boolean
  /** The person or project that it was moved to. */
  moved_to: string | null
  /** Why only the office sees it; null if others do. */
  held: HeldState | null
}

/** How many items a page asks for at once that are no longer in its list. */
export const MOST_KEPT = 50

/** How many files a row names. */
export const MOST_FILES = 4

/** What came from a scanner or a mailbox. */
export type InboxIntake = Intake & {
  /** The first of its files, waiting ones first. Filed ones also have the stored file. */
  files: (IntakeFile & { filed: InboxFile | null })[]
  waiting: number
  total: number
}

export type InboxItem = {
  id: number
  /** One of our users; null for what came from a scanner or a mailbox. */
  sender: { id: number; name: string } | null
  intake: InboxIntake | null
  sent_at: string
  /** The first files, those in the trash last. */
  files: InboxFile[]
  /** How many files are still there, in the trash or not. */
  left: number
  in_trash: number
  /** How many are deleted for good. */
  gone: number
  state: InboxState
  by: { id: number; name: string } | null
  at: string | null
}

export const INBOX_FILTERS = ['all', 'new', 'mine', 'done'] as const
export type InboxFilter = (typeof INBOX_FILTERS)[number]

export const FILTER_NAMES: Record<InboxFilter, string> = {
  all: 'Alle',
  new: 'Nye',
  mine: 'Mine',
  done: 'Færdige',
}

/** How many are new, and how many the reader has taken. */
export type InboxCounts = { new: number; mine: number }

/** 'Åse Nørregaard', or what a scanner or a mail says about itself. */
export function senderName({ sender, intake }: Pick<InboxItem, 'sender' | 'intake'>): string {
  if (sender) return sender.name
  return intake?.sender || (intake?.source === 'mailbox' ? 'Ukendt afsender' : 'Scanner')
}

/** 'Taget af Mette Holm'. The reader is 'dig'. */
export function stateText({ state, by }: Pick<InboxItem, 'state' | 'by'>, me: number): string {
  if (state === 'taken') return `Taget af ${by?.id === me ? 'dig' : by?.name}`
  return state === 'new' ? 'Ny' : 'Færdig'
}

/** 'Mette Holm har taget den kl. 10.14.', with the date if that was not today. */
export function conflictText(
  { state, by, at }: Pick<InboxItem, 'state' | 'by' | 'at'>,
  me: number,
  now: Date,
  timeZone: string,
): string {
  if (!by || !at) return 'Den er allerede færdig.'
  const when = spokenTime(at, timeZone, now)
  const name = by.id === me ? 'Du' : by.name
  return state === 'done' ? `${name} blev færdig med den ${when}.` : `${name} har taget den ${when}.`
}
