import { createContext, use, type ReactNode } from 'react'

/** Renders a large part of the page on its own, in several pieces, and returns a placeholder for it. */
export type AddPieces = (pieces: readonly ReactNode[]) => string

/** Only the server sets it. */
const Context = createContext<AddPieces | null>(null)

export const PiecesProvider = Context.Provider

/** Null in the browser. */
export const usePieces = () => use(Context)
