import { createContext, use, type ReactNode } from 'react'

/** How the server renders a large part of the page on its own. Each function returns a placeholder for the part. */
export type Pieces = {
  /** Renders several pieces, with pauses between them. */
  add: (pieces: readonly ReactNode[]) => string
  /** Writes the HTML itself, once the rest of the page is rendered. `draw` renders something by React. */
  addHtml: (write: (draw: Draw) => string) => string
}

export type Draw = (node: ReactNode) => string

/** Set only on the server. */
const Context = createContext<Pieces | null>(null)

export const PiecesProvider = Context.Provider

/** Null in the browser. */
export const usePieces = () => use(Context)
