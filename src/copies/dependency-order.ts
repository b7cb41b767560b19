export type Reference = { from: string; to: string }

/** Puts each table after all tables it refers to, so that rows can be loaded in this order. */
export function dependencyOrder(tables: string[], references: Reference[]): string[] {
  const ordered: string[] = []
  const waiting = new Set(tables.toSorted())
  const isFree = (table: string) => !references.some(({ from, to }) => from === table && waiting.has(to))
  while (waiting.size > 0) {
    const free = [...waiting].filter(isFree)
    if (free.length === 0)
      throw new Error(`These tables point at each other or at themselves: ${[...waiting].join(', ')}.`)
    for (const table of free) waiting.delete(table)
    ordered.push(...free)
  }
  return ordered
}
