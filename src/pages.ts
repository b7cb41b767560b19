import type { ComponentProps } from 'react'
import type { Frame } from './ui/frame.ts'

/** TABLE 3: every page, a lazy chunk each. Its name is its file's: `welcome` is `welcome-page.tsx`. */
export const pages = {
  error: () => import('./ui/error-page.tsx').then((file) => file.ErrorPage),
  welcome: () => import('./welcome/welcome-page.tsx').then((file) => file.WelcomePage),
}

export type PageName = keyof typeof pages
export type PageProps<Name extends PageName> = ComponentProps<Awaited<ReturnType<(typeof pages)[Name]>>>

/** What the server sends beside the HTML, so that the browser can draw the same page again. */
export type Envelope = { name: PageName; props: object; frame: Frame }
