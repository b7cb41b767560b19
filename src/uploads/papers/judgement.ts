import type { Found } from '../../releases/held/held.ts'
import type { UploadFolder, UploadProject, UploadUser } from '../names/placing.ts'

/** A place where a paper may belong. */
export type PaperPlace =
  | {
      folder: UploadFolder
      project: Pick<UploadProject, 'id' | 'number' | 'name' | 'has_auditor'>
      user?: undefined
    }
  | { user: UploadUser; folder?: undefined; project?: undefined }

/** Why a paper may belong there, with the place in the paper that says so. */
export type Reason =
  | { kind: 'cvr' | 'number' | 'name'; of: 'project'; said: string; page: number }
  | { kind: 'number' | 'name' | 'company'; of: 'person'; said: string; page: number }
  /** Words of the title that name the folder. */
  | { kind: 'title'; said: string; page: number }
  /** The office's own earlier papers; the words that say most. */
  | { kind: 'alike'; words: string[] }
  | { kind: 'file-name'; said: string }

/** A place for a paper, and the name that leads there: 'Årsrapport (1024) 2025.pdf'. */
export type Guess = { place: PaperPlace; name: string; reasons: Reason[] }

/**
 * A contradiction between a paper and the name or place that it was given. `instead` is the number of the project or
 * person that it certainly belongs to: '1148'.
 */
export type Contradiction =
  | {
      kind: 'project'
      named: string
      found: string
      /** What of it the paper says: its CVR number, its number or its name. */
      by: 'cvr' | 'number' | 'name'
      said: string
      page: number
      instead?: string
    }
  | { kind: 'year'; named: number; found: number; page: number }
  | { kind: 'person'; named: string; found: string; page: number; instead?: string }
  /** Never holds the number itself. */
  | { kind: 'cpr'; page: number }
  /** No machine can read it. */
  | { kind: 'unreadable'; reason: string }
  /** Nothing is known of its place, so nothing was compared. */
  | { kind: 'place' }

/** The people whose paper it is, if they are several, and whether each has separate pages. */
export type Owners = { names: string[]; divides: boolean }

/** Sikker, Måske, Ved ikke. */
export type Sureness = 'sure' | 'maybe' | 'unknown'

export type Judgement = {
  hash_name: string
  state: 'waiting' | 'read' | 'unreadable'
  sureness: Sureness
  best: Guess | null
  second: Guess | null
  /** Such a paper is proposed for nobody: it is divided. */
  owners?: Owners | null
  contradictions: Contradiction[]
}

const onPage = (page: number) => ` (side ${page})`

/** 'Projektets CVR-nr. 38291041 står i papiret (side 1).' */
export function reasonText(reason: Reason): string {
  if (reason.kind === 'alike')
    return `Ligner det, I har lagt i mappen før: ${reason.words.map((word) => `”${word}”`).join(', ')}.`
  if (reason.kind === 'file-name') return `Filens navn siger ”${reason.said}”.`
  if (reason.kind === 'title') return `Overskriften er ”${reason.said}”${onPage(reason.page)}.`
  return `${WHAT[reason.of][reason.kind as 'name'](reason.said)}${onPage(reason.page)}.`
}

const WHAT = {
  project: {
    cvr: (said: string) => `Projektets CVR-nr. ${said} står i papiret`,
    number: (said: string) => `Projektets nummer ${said} står i papiret`,
    name: (said: string) => `Projektets navn ”${said}” står i papiret`,
  },
  person: {
    number: (said: string) => `Investorens nummer ${said} står i papiret`,
    name: (said: string) => `Papiret er til ”${said}”`,
    company: (said: string) => `Investorens selskab ”${said}” står i papiret`,
  },
}

/** How many names are shown. */
const MOST_NAMES = 2

/** 'Papiret har sider til flere: Anne Holm, Bo Bruun og 18 til.' */
export function ownersText({ names, divides }: Owners): string {
  const more = names.length - MOST_NAMES
  const told = names.slice(0, MOST_NAMES).join(more > 0 ? ', ' : ' og ')
  return `Papiret ${divides ? 'har sider til flere' : 'nævner flere investorer'}: ${told}${more > 0 ? ` og ${more} til` : ''}.`
}

/** Tells the person who saves what does not agree. */
export function contradictionText(contradiction: Contradiction): string {
  if (contradiction.kind === 'unreadable') return `Filen kan ikke læses: ${contradiction.reason}`
  if (contradiction.kind === 'place') return 'Ringbind kan ikke se, om papiret hører til her.'
  const { kind, page } = contradiction
  if (kind === 'cpr')
    return `Side ${page} har noget, der ligner et CPR-nummer, og mappen deles med investorer.`
  if (kind === 'year')
    return `Navnet siger ${contradiction.named}, men papiret er fra ${contradiction.found}${onPage(page)}.`
  if (kind === 'person')
    return `Filen skal til ${contradiction.named}, men på side ${page} er papiret stilet til ${contradiction.found}.`
  return `Filen skal til projekt ${contradiction.named}, men papiret ${naming(contradiction)}${onPage(page)}.`
}

/** 'har CVR-nr. 38291041, som hører til 1024 K/S Nordhavn Kontorhus' */
function naming({ by, said, found }: Contradiction & { kind: 'project' }): string {
  if (by === 'number') return `nævner projekt ${found}`
  return `${by === 'cvr' ? `har CVR-nr. ${said}` : `nævner ”${said}”`}, som hører til ${found}`
}

/** The parts of contradictions that are stored while a paper is held. */
export const foundOf = (contradictions: readonly Contradiction[]): Found[] =>
  contradictions.map((each) => ({ kind: each.kind, text: contradictionText(each) }))
