/** Ways in which the server's role could change the log. */
export const GAPS = ['superuser', 'roles', 'tables', 'functions', 'schema', 'database'] as const
export type Gap = (typeof GAPS)[number]

/** Which of the ways are open, according to the database. */
export type FoundGaps = Record<Gap, boolean>

/** Returns the open ways. A superuser needs none of the others. */
export function listGaps(found: FoundGaps): Gap[] {
  return found.superuser ? ['superuser'] : GAPS.filter((gap) => found[gap])
}

/** Whether the start closes a gap by itself, if it has the owner's connection. The operator has to close the others. */
export const isClosedByStart = (gap: Gap): boolean => gap === 'tables' || gap === 'functions'
