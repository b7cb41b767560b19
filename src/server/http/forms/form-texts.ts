const MOST_DEPTH = 3

/** Returns the texts of a form by the names of their fields: `files[a][name]`. */
export function textsOf(values: object, nameOf = (key: string) => key, depth = 1): [string, string][] {
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value === 'string') return [[nameOf(key), value] as [string, string]]
    if (typeof value !== 'object' || value === null || depth === MOST_DEPTH) return []
    return textsOf(value, (inner) => `${nameOf(key)}[${inner}]`, depth + 1)
  })
}
