/** Ways in which the role that serves could change the log. */
export const GAPS = ['superuser', 'roles', 'tables', 'functions', 'schema', 'database'] as const
export type Gap = (typeof GAPS)[number]

/** Which of the ways are open, as the database says. */
export type FoundGaps = Record<Gap, boolean>

/** Returns the ways that are open. Whoever is a superuser needs none of the others. */
export function listGaps(found: FoundGaps): Gap[] {
  return found.superuser ? ['superuser'] : GAPS.filter((gap) => found[gap])
}

/** Gaps that the start closes by itself if it has the owner's connection; the others are for whoever runs the server. */
export const isClosedByStart = (gap: Gap): boolean => gap === 'tables' || gap === 'functions'
