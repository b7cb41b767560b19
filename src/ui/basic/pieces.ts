import { createContext, use, type ReactNode } from 'react'

/** What is rendered by itself, in several pieces; the answer stands in its place meanwhile. */
export type AddPieces = (pieces: readonly ReactNode[]) => string

/** Set by the server alone. */
const Context = createContext<AddPieces | null>(null)

export const PiecesProvider = Context.Provider

/** Null in the browser. */
export const usePieces = () => use(Context)
