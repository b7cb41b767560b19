import sharp from 'sharp'
import type { Parts } from '../../src/server/parts.ts'
import { headOf, hold, multipartOf, type Attack, type Scene } from './attacks.ts'
import type { Way } from './caller.ts'
import { slowPdf, wordyPdf } from '../files/heavy-pdfs.ts'
import { makeFile } from '../make.ts'

// An investor's attacks with own documents, keys and lendings.

export type OwnScene = Scene & {
  parts: Pick<Parts, 'db' | 'storage'>
  ownFolder: number
  keys: string[]
  /** The address of a lending of the attacker's. */
  lending: string
  /** Connections from the address that the other person has too. */
  beside: Way
}

export const WORDY_PDFS = 42

/** Puts documents into the attacker's own folder, as uploads do. */
export async function putWordyPdfs({ parts, ownFolder, attackerId }: OwnScene): Promise<void> {
  for (let number = 0; number < WORDY_PDFS; number++)
    await makeFile(parts, ownFolder, {
      name: `Papir ${number}.pdf`,
      bytes: wordyPdf(number),
      uploadedBy: attackerId,
      fromInvestor: true,
    })
}

export async function putSlowPdfs({ parts, ownFolder, attackerId }: OwnScene, many: number): Promise<void> {
  for (let number = 0; number < many; number++)
    await makeFile(parts, ownFolder, {
      name: `Langsom ${number}.pdf`,
      bytes: slowPdf(number),
      uploadedBy: attackerId,
      fromInvestor: true,
    })
}

const asked = (words: string) => `/api/search?q=${encodeURIComponent(words)}`
const WORDS = ['udlodning', 'regnskab', 'komplementar', 'generalforsamling', 'papir']
/** The words of these are in every page, and the phrases in none: all of the text has to be looked at. */
const PHRASES = [
  '"regnskab budget lejer renter afkast indskud kvartal"',
  '"udlodning udlodning udlodning udlodning"',
  '"ejendom papir selskabet"',
]

const bearer = (key: string) => ({ authorization: `Bearer ${key}`, accept: 'application/json' })
const some = <Item>(items: readonly Item[], turn: number) => items[turn % items.length]!

/** Each prepares its requests before its time begins. */
export const ownAttacksOn = (scene: OwnScene): Record<string, () => Attack | Promise<Attack>> => {
  const { port, attacker, keys, lending, beside, project } = scene
  return {
    'searches for a word in much text': () => (_during, turn) =>
      attacker.call('GET', asked(some(WORDS, turn))),
    'searches for a phrase in much text': () => (_during, turn) =>
      attacker.call('GET', asked(some(PHRASES, turn))),
    'searches that nobody waits for': () => (_during, turn) =>
      hold(port, headOf(attacker, 'GET', asked(some(PHRASES, turn)), 'X: y'), AbortSignal.timeout(30)),
    'searches with twenty keys': () => (_during, turn) =>
      beside('GET', asked(some(PHRASES, turn)), { headers: bearer(some(keys, turn)) }),
    'lists with twenty keys': () => (_during, turn) =>
      beside('GET', '/api/projects', { headers: bearer(some(keys, turn)) }),
    'made-up keys': () => (_during, turn) =>
      beside('GET', '/api/projects', { headers: bearer(`rb_${String(turn).padStart(43, 'x')}`) }),
    'made-up sessions': () => (_during, turn) =>
      beside('GET', `/projects/${project}/uploads`, {
        headers: { cookie: `session=${String(turn).padStart(43, 'y')}`, accept: 'text/html' },
      }),
    'interlaced images': async () => {
      const bytes = await sharp({
        create: { width: 6800, height: 6800, channels: 3, background: '#0a6' },
      })
        .png({ progressive: true, compressionLevel: 9 })
        .toBuffer()
      const sent = multipartOf([['file', 'a.png', bytes]])
      return () => attacker.call('POST', '/profile/image', sent)
    },
    'a lending that is changed again and again': () => (_during, turn) =>
      attacker.json(lending, {
        what: 'everything',
        until: `0${(turn % 9) + 1}/03/2099`,
        mails: turn % 2 ? 'on' : '',
      }),
  }
}
