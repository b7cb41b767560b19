import { createContext, use, type ReactNode } from 'react'

const Context = createContext<ReactNode>(null)

/** Gives the header a part that knows the product, which `ui` does not: `page-tree.tsx`. */
export const HeaderPartProvider = Context.Provider

export const useHeaderPart = () => use(Context)
