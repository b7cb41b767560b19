import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { PROJECT } from './project-directory.ts'

const read = (path: string) => readFileSync(new URL(path, PROJECT), 'utf8')

it('every way to start Ringbind has the same memory settings for Node', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } }
  const [, image] = /^CMD (\[.*\])$/m.exec(read('Dockerfile'))!
  const [, unit] = /^ExecStart=\S*\/(node .*)$/m.exec(read('docs/ringbind.service'))!
  const words = 'node --max-semi-space-size=8 src/server.ts'
  expect([scripts.start, (JSON.parse(image!) as string[]).join(' '), unit]).toEqual([words, words, words])
})
