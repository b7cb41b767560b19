/** The answer to a refused form: S3.8. */
export type ErrorBody = { message: string; errors: Record<string, string[]> }

type Errors = Readonly<Record<string, readonly string[]>>

/** The faults of a form, by field. Each change makes a new object, so that React sees it. */
export class FieldErrors {
  readonly message: string
  readonly errors: Errors

  constructor(message = '', errors: Errors = {}) {
    this.message = message
    this.errors = errors
  }

  /** Reads the body of an answer. Any value is allowed. */
  static from(body: unknown): FieldErrors {
    const { message, errors } = objectOf(body)
    const lists = Object.entries(objectOf(errors)).map(
      ([name, list]) => [name, (Array.isArray(list) ? list : [list]).map(String)] as const,
    )
    return new FieldErrors(typeof message === 'string' ? message : '', Object.fromEntries(lists))
  }

  /** Returns the messages of a field. `files.*.name` returns those of every file's name. */
  get(name: string): string[] {
    return this.#matching(name).flatMap((each) => this.errors[each]!)
  }

  has(name: string): boolean {
    return this.#matching(name).length > 0
  }

  get isEmpty(): boolean {
    return this.message === '' && Object.keys(this.errors).length === 0
  }

  /** Removes the messages of one field, of the fields that a wildcard matches, or all. */
  clear(name?: string): FieldErrors {
    if (name === undefined) return new FieldErrors()
    const gone = new Set(this.#matching(name))
    if (gone.size === 0) return this
    const left = Object.entries(this.errors).filter(([each]) => !gone.has(each))
    return left.length === 0 ? new FieldErrors() : new FieldErrors(this.message, Object.fromEntries(left))
  }

  #matching(name: string): string[] {
    const wanted = dotted(name).split('.')
    return Object.keys(this.errors).filter((each) => {
      const parts = each.split('.')
      return (
        parts.length === wanted.length && wanted.every((part, index) => part === '*' || part === parts[index])
      )
    })
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** 'files[a][name]', the name in a form, becomes 'files.a.name'. */
export function dotted(name: string): string {
  return name.replaceAll(/\[([^[\]]*)\]/g, '.$1')
}
