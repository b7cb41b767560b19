import type { Right } from '../rights.ts'
import type { Database, Trx } from '../server/database/database.ts'
import type { Parts } from '../server/parts.ts'
import { urls } from '../urls.ts'
import type { Visit } from './reader.ts'

/**
 * The part of the office to compare before and after an act: some files, whole projects, or everything that some people
 * see.
 */
export type Scope = { files?: number[]; projects?: number[]; people?: number[] }

/**
 * An act of the office that can let somebody outside it see more than before. If a colleague has to approve it, its
 * parameters are kept as JSON, and the same act is carried out later.
 */
export type GatedAct<Params, Result> = {
  kind: string
  /** The right that the act needs. It is checked again for the person who asked when a colleague approves. */
  right: Right
  /** Checks parameters that were kept. */
  params: { parse: (kept: unknown) => Params }
  /** Compared before and after the act, with its result. */
  scope: (trx: Trx, params: Params, result: Result | null) => Scope | Promise<Scope>
  run: (db: Database | Trx, parts: Parts, visit: Visit, params: Params) => Promise<Result>
  /** Describes the act for the colleague who approves it: 'Flyt ”Budget.pdf” til Budget i K/S Et'. */
  describe: (trx: Trx, params: Params) => Promise<string>
  /** Whether a colleague always has to approve it, even if it shows nothing new now. */
  asksAlways?: (trx: Trx, params: Params) => boolean | Promise<boolean>
}

/** A gated act with its parameters. */
export type BoundAct<Result> = {
  scope: (trx: Trx, result: Result | null) => Scope | Promise<Scope>
  run: (trx: Trx, parts: Parts, visit: Visit) => Promise<Result>
}

export const bindAct = <Params, Result>(
  { scope, run }: GatedAct<Params, Result>,
  params: Params,
): BoundAct<Result> => ({
  scope: (trx, result) => scope(trx, params, result),
  run: (trx, parts, visit) => run(trx, parts, visit, params),
})

/** A gated act that is carried out later from its stored parameters. */
export type StoredAct = {
  kind: string
  right: Right
  use: <Out>(kept: unknown, work: <Result>(act: BoundAct<Result>) => Out) => Out
}

export const storedAct = <Params, Result>(act: GatedAct<Params, Result>): StoredAct => ({
  kind: act.kind,
  right: act.right,
  use: (kept, work) => work(bindAct(act, act.params.parse(kept))),
})

/** An act that waits for a colleague. The id takes it back; the text says who can approve it. */
export type AskedAct = { id: string; text: string }

/** Redirects the form of an act that waits to the list of waiting acts, with a message. */
export const redirectToWaiting = ({ text }: AskedAct) => ({ redirect: `${urls.releases}#asked`, said: text })

export type Outcome<Result> = { asked: null; result: Result } | { asked: AskedAct; result: null }

/**
 * Carries an act out, or stores it until a colleague approves it. Routes get it as a parameter: see
 * `releases/approval/gate.db.ts`.
 */
export type Gate = {
  carryOut: <Params, Result>(
    visit: Visit,
    act: GatedAct<Params, Result>,
    params: Params,
  ) => Promise<Outcome<Result>>
  /** Says that a colleague would have to approve an act, and why; null if not. Changes nothing. */
  foresee: <Params, Result>(
    visit: Visit,
    act: GatedAct<Params, Result>,
    params: Params,
  ) => Promise<string | null>
  /** Withdraws an act that still waits. Returns false if this person has none with that id. */
  takeBack: (visit: Visit, id: string) => Promise<boolean>
}
