/** Writes a copy of an example with other values. The values are HTML already. */
export type Stencil<Name extends string> = (values: Record<Name, string>) => string

/**
 * Cuts the HTML of an example at its values, so that copies with other values cost next to nothing. Each value must be
 * unmistakable: it may stand nowhere else in the HTML, and in no other value.
 */
export function cutStencil<Name extends string>(html: string, values: Record<Name, string>): Stencil<Name> {
  const names = new Map(Object.entries<string>(values).map(([name, value]) => [value, name as Name]))
  const missing = [...names].find(([value]) => value === '' || !html.includes(value))
  if (missing) throw new Error(`The example does not show its ${missing[1]}.`)
  const pattern = new RegExp(`(${[...names.keys()].map((value) => RegExp.escape(value)).join('|')})`)
  const [first = '', ...rest] = html.split(pattern)
  const holes = rest.flatMap((part, index) => {
    const name = names.get(part)
    return index % 2 === 0 && name !== undefined ? [{ name, after: rest[index + 1] ?? '' }] : []
  })
  return (texts) => {
    let copy = first
    for (const { name, after } of holes) copy += texts[name] + after
    return copy
  }
}

const SPECIAL = /["'&<>]/
const ESCAPES: Record<string, string> = {
  '"': '&quot;',
  "'": '&#x27;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
}

/** Escapes a text as React does, in text and attributes alike. */
export function escapeHtml(text: string): string {
  return SPECIAL.test(text) ? text.replace(/["'&<>]/g, (sign) => ESCAPES[sign]!) : text
}
