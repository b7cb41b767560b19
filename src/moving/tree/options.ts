/** What the command is asked to do. */
export type ImportOptions =
  | { act: 'list' }
  | { act: 'undo'; id: number }
  | {
      act: 'import'
      directory: string
      /** Where to write a table of what would happen. Then nothing is imported. */
      dryRun: string | null
      /** The table with somebody's corrections. */
      from: string | null
      report: string | null
      isDraft: boolean
      /** The e-mail of the person who imports. */
      by: string | null
    }

export const FLAGS = ['--dry-run', '--from', '--report', '--draft', '--by', '--undo', '--list']

const WITH_VALUE = new Set(['--dry-run', '--from', '--report', '--by', '--undo'])

type Arguments = { values: ReadonlyMap<string, string>; directories: readonly string[] }

/** Reads the arguments. Returns a sentence about what is wrong with them, if anything. */
export function readOptions(args: readonly string[]): ImportOptions | string {
  const read = readArguments(args)
  if (typeof read === 'string') return read
  const { values, directories } = read
  const alone = ['--list', '--undo'].filter((flag) => values.has(flag))
  if (alone.length > 0 && (values.size > 1 || directories.length > 0)) return `${alone[0]} stands alone.`
  if (values.has('--list')) return { act: 'list' }
  const undo = values.get('--undo')
  if (undo === undefined) return importOptions(read)
  return /^\d{1,15}$/.test(undo) ? { act: 'undo', id: Number(undo) } : '--undo needs the number of an import.'
}

function readArguments(args: readonly string[]): Arguments | string {
  const values = new Map<string, string>()
  const directories: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!
    if (!arg.startsWith('-')) directories.push(arg)
    else if (values.has(arg)) return `${arg} is there twice.`
    else if (!WITH_VALUE.has(arg)) values.set(arg, '')
    else {
      const value = args[++at]
      if (value === undefined || value.startsWith('-')) return `${arg} needs a value after it.`
      values.set(arg, value)
    }
  }
  return { values, directories }
}

function importOptions({ values, directories }: Arguments): ImportOptions | string {
  const [directory] = directories
  if (directory === undefined) return 'Which directory?'
  if (directories.length > 1) return `Only one directory at a time: ${directories.join(', ')}.`
  const valueOf = (flag: string) => values.get(flag) ?? null
  for (const flag of ['--dry-run', '--report'])
    if (values.has(flag) && !/\.xlsx$/i.test(values.get(flag)!))
      return `${flag} writes an Excel file: give it a name that ends in .xlsx.`
  const from = valueOf('--from')
  if (from !== null && !/\.(?:xlsx|csv|txt)$/i.test(from)) return '--from reads an .xlsx or .csv file.'
  const isDraft = values.has('--draft')
  const by = valueOf('--by')
  if (isDraft && by === null) return '--draft needs --by E-MAIL: drafts belong to somebody in the office.'
  return {
    act: 'import',
    directory,
    dryRun: valueOf('--dry-run'),
    from,
    report: valueOf('--report'),
    isDraft,
    by,
  }
}
