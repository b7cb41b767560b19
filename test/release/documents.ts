import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../start/processes.ts'

/** `name` is the document and the block's first line, such as `docs/drift.md: systemctl restart ringbind`. */
export type ShellBlock = { name: string; text: string }

/** The documents that tell somebody to run something. Decisions and the CHANGELOG tell of the past. */
export const listDocuments = (): string[] => globSync('{*,docs/*}.md', { cwd: ROOT }).toSorted()

export const readDocument = (name: string): string => readFileSync(join(ROOT, name), 'utf8')

/** Lists the blocks of shell commands in the documents. */
export function listShellBlocks(): ShellBlock[] {
  return listDocuments().flatMap((document) =>
    [...readDocument(document).matchAll(/^( *)```(?:sh|bash|console|shell)\n([^]*?)^\1```$/gm)].map(
      ([, , text]) => ({
        name: `${document}: ${text!.trim().split('\n')[0]!.trim()}`,
        text: text!,
      }),
    ),
  )
}
