import { isRepairable } from './repair.ts'
import type { Pile, Target, UploadForm } from './pile.ts'
import { withKey } from '../../files/names/file-name.ts'
import type { Upload } from '../transport/upload.ts'
import { contradictionText, type Contradiction, type Judgement } from '../papers/judgement.ts'

/** The judgements of a pile's papers, by the id of their upload. */
export type Judgements = ReadonlyMap<string, Judgement>

/** A paper that the server is asked about, as the page has it now. */
export type AskedPaper = {
  id: string
  /** Changes when it has to be asked about again. */
  asked: string
  body: { hash_name: string; name: string; folder_id?: number; user_id?: number }
}

/** Lists the papers of a pile that have arrived: those that have a place, and those that may get one. */
export function papersOf({ groups, ignored }: Pick<Pile, 'groups' | 'ignored'>): AskedPaper[] {
  return [
    ...groups.flatMap(({ target, uploads }) => uploads.flatMap((upload) => paperOf(upload, target))),
    ...ignored.filter(({ fault }) => isRepairable(fault)).flatMap(({ upload }) => paperOf(upload, {})),
  ]
}

function paperOf({ id, name, state, hashName }: Upload, { folder, user }: Target): AskedPaper[] {
  if (state !== 'sent' || hashName === null) return []
  const body = {
    hash_name: hashName,
    name,
    ...(folder && { folder_id: folder.id }),
    ...(user && { user_id: user.id }),
  }
  return [{ id, asked: Object.values(body).join('\n'), body }]
}

/** An acknowledgement holds for this file and this contradiction: at another place the contradiction may be another. */
export const seenKey = (id: string, contradiction: Contradiction) =>
  `${id}\n${contradictionText(contradiction)}`

/**
 * Returns the files with contradictions that nobody has acknowledged yet. Unreadable files are saved anyway, and held.
 */
export function unseenIn(judgements: Judgements, seen: ReadonlySet<string>): string[] {
  return [...judgements].flatMap(([id, { contradictions }]) =>
    contradictions.some((each) => each.kind !== 'unreadable' && !seen.has(seenKey(id, each))) ? [id] : [],
  )
}

/** Returns the unreadable files, unless somebody has chosen to show them. */
export function unreadableIn(judgements: Judgements, seen: ReadonlySet<string>): string[] {
  return othersLike(judgements, seen, { id: '', kind: 'unreadable' })
}

/** Returns the acknowledgements for the server: '3:year'. */
export function acknowledgedIn(judgements: Judgements, seen: ReadonlySet<string>): string[] {
  return [...judgements].flatMap(([id, { contradictions }]) =>
    contradictions.filter((each) => seen.has(seenKey(id, each))).map(({ kind }) => `${id}:${kind}`),
  )
}

/** The kinds of acknowledged contradictions, by the upload's id: an unsaved pile stores them. */
export type SeenKinds = ReadonlyMap<string, readonly string[]>

export function seenKindsIn(judgements: Judgements, seen: ReadonlySet<string>): SeenKinds {
  return new Map(
    [...judgements].flatMap(([id, { contradictions }]) => {
      const kinds = contradictions.filter((each) => seen.has(seenKey(id, each))).map(({ kind }) => kind)
      return kinds.length > 0 ? [[id, kinds] as const] : []
    }),
  )
}

/** Returns the keys of the contradictions that an earlier page has shown already, as soon as they are found again. */
export function seenAgain(news: Judgements, earlier: SeenKinds): string[] {
  return [...news].flatMap(([id, { contradictions }]) =>
    contradictions.filter(({ kind }) => earlier.get(id)?.includes(kind)).map((each) => seenKey(id, each)),
  )
}

/** Returns the other files with a contradiction of this kind that nobody has seen yet. */
export function othersLike(
  judgements: Judgements,
  seen: ReadonlySet<string>,
  { id, kind }: { id: string; kind: Contradiction['kind'] },
): string[] {
  return [...judgements.keys()].filter(
    (other) => other !== id && openKeys(judgements, seen, kind, [other]).length > 0,
  )
}

/** Returns the keys of the contradictions of this kind, in some files, that nobody has seen yet. */
export const openKeys = (
  judgements: Judgements,
  seen: ReadonlySet<string>,
  kind: string,
  ids: readonly string[],
): string[] =>
  ids.flatMap((id) =>
    (judgements.get(id)?.contradictions ?? []).flatMap((each) => {
      const key = seenKey(id, each)
      return each.kind === kind && !seen.has(key) ? key : []
    }),
  )

/** A file whose paper certainly belongs elsewhere: its new name, and the number in it. */
export type ProposedMove = { upload: Upload; name: string; number: string }

/** Finds the files whose papers certainly belong elsewhere. Only forms that accept every number can move them. */
export function findMoves(
  form: UploadForm,
  groups: Pile['groups'],
  judgements: Judgements,
  seen: ReadonlySet<string>,
): ProposedMove[] {
  if (form.kind !== 'users' && !(form.kind === 'folders' && form.project === null)) return []
  return groups.flatMap(({ uploads }) =>
    uploads.flatMap((upload) => {
      const { contradictions = [], owners } = judgements.get(upload.id) ?? {}
      const number = contradictions
        .filter((each) => !seen.has(seenKey(upload.id, each)))
        .flatMap((each) => ('instead' in each && each.instead) || [])[0]
      const name = number === undefined || owners ? null : withKey(upload.name, number)
      return name === null || number === undefined ? [] : [{ upload, name, number }]
    }),
  )
}

/** Gives ignored files the names that their papers propose, if all reasons agree and their own names propose none. */
export function withGuesses(ignored: Pile['ignored'], judgements: Judgements): Pile['ignored'] {
  return ignored.map((each) => {
    const judgement = judgements.get(each.upload.id)
    if (!judgement) return each
    // A paper with pages of several people is proposed for nobody, whatever its name says.
    if (judgement.owners) return { ...each, judgement, proposal: null }
    const isSure = judgement.sureness === 'sure' && each.proposal === null
    return { ...each, judgement, proposal: isSure ? (judgement.best?.name ?? null) : each.proposal }
  })
}
