import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { BLOCKS } from './document-blocks.ts'
import { listDocuments, listShellBlocks, readDocument } from './documents.ts'
import { ROOT } from '../start/processes.ts'

it('every block of commands is run in a clean Debian, or a reason says why not', () => {
  const names = listShellBlocks().map(({ name }) => name)
  expect(Object.keys(BLOCKS).toSorted()).toEqual(names.toSorted())
})

it('every command that a document names exists', () => {
  const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> }
  const known = /^ {2}(backup .*)\) ;;$/m.exec(readDocument('docs/ringbind.sh'))![1]!.split(' | ')
  const faults = listDocuments().flatMap((document) => {
    const text = readDocument(document)
    const find = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!)
    return [
      ...find(/npm run ([a-z][\w-]*(?::\w+)*)/g).filter((name) => !(name in scripts)),
      ...find(/`ringbind ([a-z-]+)/g).filter((name) => !known.includes(name)),
      ...find(/^ringbind ([a-z-]+)/gm).filter((name) => !known.includes(name)),
      ...find(/node (scripts\/[\w-]+\.ts)/g).filter((path) => !existsSync(join(ROOT, path))),
    ].map((name) => `${document}: ${name}`)
  })
  expect(faults).toEqual([])
})
