import { randomHex } from '../../base/random-hex.ts'
import type { ErrorBody } from '../../base/field-errors.ts'
import { save } from '../../ui/overlay/request.ts'
import type { Choice } from '../../releases/publishing-choice.tsx'
import type { Contradiction } from '../papers/judgement.ts'
import type { PileKeeper } from '../unsaved/pile-keeper.ts'
import type { Upload } from '../transport/upload.ts'
import { addressOf, isForAll, type Group, type Target, type UploadForm } from '../pile/pile.ts'

export type Answer = Partial<ErrorBody> & {
  redirect?: string
  shared?: number[]
  saved?: boolean
  contradictions?: Record<string, Contradiction[]>
}

/** A file, its place, and the file that it becomes a new version of. */
export type ToSave = { upload: Upload; target: Target; replaces: number | null }

type Content = {
  groups: readonly Group[]
  /** The files to save. */
  ready: readonly ToSave[]
  /** The shared folders that the page learned of from an earlier answer. */
  known: readonly number[]
  choice: Choice
  /** The contradictions that somebody has seen. */
  acknowledged: readonly string[]
  /** The files that are left out, and stay in the pile. */
  rest: readonly string[]
}

/** The calls that save a form: a form sent again after a lost answer is stored once. */
export class Submission {
  /** Tells the server that it is the same form. */
  key = ''
  /** The hash names that a call whose answer was lost may have saved. */
  #unknown: ReadonlySet<string> = new Set()
  readonly #keeper: PileKeeper | null

  constructor(keeper: PileKeeper | null) {
    this.#keeper = keeper
  }

  /** Returns null if the answer was lost. */
  async post(form: UploadForm, content: Content): Promise<Answer | null> {
    this.key ||= randomHex(16)
    const hashes = new Set(content.ready.map(({ upload }) => upload.hashName!))
    const body = bodyOf(form, content, this.key)
    if (this.#keeper) {
      body.set('pile', this.#keeper.key)
      body.set('rest', content.rest.join(','))
    }
    const answer = await send(addressOf(form), body)
    if (answer === null) this.#unknown = new Set([...this.#unknown, ...hashes])
    return answer
  }

  /** Returns the uploads that a call whose answer was lost had saved. */
  findSaved(uploads: readonly Upload[]): Upload[] {
    return uploads.filter(({ hashName }) => hashName !== null && this.#unknown.has(hashName))
  }

  /** What is left is a new form. */
  startOver(): void {
    this.#unknown = new Set()
    this.key = ''
    this.#keeper?.startOver()
  }
}

/** Returns null if the answer was lost. */
export async function send(address: string, body: FormData): Promise<Answer | null> {
  try {
    const response = await save(address, body)
    if (response.status >= 500) return null // may come from a proxy, although the server has saved it
    return (await response.json()) as Answer
  } catch {
    return null
  }
}

function bodyOf(form: UploadForm, content: Content, key: string): FormData {
  const { groups, ready, known, choice, acknowledged } = content
  const body = new FormData()
  body.set('submission', key)
  const seen = groups.flatMap(({ target: { folder } }) => (folder?.visible_to_investors ? folder.id : []))
  body.set('shared', [...new Set([...seen, ...known])].join(','))
  if (form.kind !== 'simple')
    for (const [field, value] of Object.entries(publishingFields(choice))) body.set(field, value)
  if (acknowledged.length > 0) body.set('acknowledged', acknowledged.join(','))
  body.set('keep', ready.flatMap(({ upload }) => (upload.choice === 'keep' ? upload.id : [])).join(','))
  for (const { upload, target, replaces } of ready) {
    const entry = {
      ...entryOf(upload, target, form),
      ...(replaces !== null && { replaces: String(replaces) }),
    }
    for (const [field, value] of Object.entries(entry)) body.set(`files[${upload.id}][${field}]`, value)
  }
  return body
}

export const publishingFields = ({ way, day, time }: Choice) => ({
  publish: way,
  ...(way === 'later' && { publish_day: day ?? '', publish_time: time }),
})

/** S3.4 */
function entryOf({ name, file, type, hashName }: Upload, { folder, user }: Target, form: UploadForm) {
  return {
    ...(form.kind === 'folders' && folder && { folder_id: String(folder.id) }),
    ...(takesPeople(form) && user && { user_id: String(user.id) }),
    name,
    mime: file?.type ?? type ?? '',
    ...(form.kind === 'folders' && folder && { folder: folder.name }),
    data: hashName!,
  }
}

const takesPeople = (form: UploadForm) => form.kind === 'users' || form.kind === 'person' || isForAll(form)
