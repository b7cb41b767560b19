import { makeLateDrawn } from '../ui/overlay/late-drawn.tsx'

/** The box at the top of every page: drawn by the server, taken over when the browser is idle. */
export const LateSearchField = makeLateDrawn(() =>
  import('./box/search-field.tsx').then((file) => file.SearchField),
)
