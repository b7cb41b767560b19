import { makeLateDrawn } from '../overlay/late-drawn.tsx'

/** The office's sign in the frame of a page, which changes only when the office is edited. */
export const OfficeSign = makeLateDrawn(() => load().then((file) => file.OfficeSign))
export const OfficeContact = makeLateDrawn(() => load().then((file) => file.OfficeContact))
export const PrintHead = makeLateDrawn(() => load().then((file) => file.PrintHead))

function load() {
  return import('./office-sign.tsx')
}
