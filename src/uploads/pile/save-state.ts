import type { Choice } from '../../releases/publishing-choice.tsx'

type Errors = Readonly<Record<string, string[]>>

/** How far saving has come, on the page that sends files and on the page that divides a PDF. */
export type SaveState = {
  /** Waits for files that are still on their way before it saves. */
  step: 'filling' | 'waiting' | 'saving'
  fault: string | null
  /** The server's messages about fields. */
  errors: Errors
  /** Folders that have been shared meanwhile: the person must say yes before files are saved into them. */
  asking: { ids: readonly number[]; message: string } | null
  /** The folders that the person has said yes to. */
  agreed: readonly number[]
  choice: Choice
}

export const NOT_SAVED: SaveState = {
  step: 'filling',
  fault: null,
  errors: {},
  asking: null,
  agreed: [],
  choice: { way: 'now', day: null, time: '09.00' },
}

export type SaveEvent =
  | { type: 'started' }
  | { type: 'stopped'; fault: string | null }
  | { type: 'refused'; message: string; errors: Errors }
  | { type: 'asked'; ids: readonly number[]; message: string }
  | { type: 'declined' }
  | { type: 'agreed' }
  | { type: 'chosen'; choice: Choice }
  | { type: 'edited'; field: string }

export function nextSave(state: SaveState, event: SaveEvent): SaveState {
  switch (event.type) {
    case 'stopped':
      return { ...state, step: 'filling', fault: event.fault }
    case 'refused': {
      const { errors, message } = event
      return { ...state, step: 'filling', errors, fault: isAboutPublishing(errors) ? null : message }
    }
    case 'asked':
      return { ...state, step: 'filling', asking: { ids: event.ids, message: event.message } }
    case 'declined':
      return { ...state, asking: null }
    case 'agreed':
      return { ...state, agreed: agreedIn(state), asking: null }
    case 'chosen':
      return { ...state, choice: event.choice, errors: without(state.errors, isPublishing) }
    case 'edited':
      return { ...state, errors: without(state.errors, (name) => name === event.field) }
    default: // 'started'
      return { ...state, step: 'saving', fault: null, errors: {} }
  }
}

/** Returns the folders that the person has said yes to, if the answer to the open question is yes too. */
export const agreedIn = ({ agreed, asking }: SaveState): readonly number[] => [
  ...agreed,
  ...(asking?.ids ?? []),
]

/** Returns whether the server's only objection is how a form is published, which is shown at those fields. */
export function isAboutPublishing(errors: Errors): boolean {
  const names = Object.keys(errors)
  return names.length > 0 && names.every(isPublishing)
}

const isPublishing = (name: string) => name.startsWith('publish_')

const without = (errors: Errors, isGone: (name: string) => boolean): Errors =>
  Object.fromEntries(Object.entries(errors).filter(([name]) => !isGone(name)))
