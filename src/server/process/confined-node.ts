import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PROJECT } from './project-directory.ts'

/**
 * The start of a command that runs our own program on strangers' bytes: Node lets it read our code and nothing else,
 * and neither write, nor start programs, nor use the network. Its only input is standard input.
 */
export function confinedNode(megabytes: number): [string, ...string[]] {
  const readable = ['src', 'node_modules', 'package.json'].flatMap((name) => {
    const path = fileURLToPath(new URL(name, PROJECT))
    return [...new Set([path, realpathSync(path)])].map((each) => `--allow-fs-read=${each}`)
  })
  return [process.execPath, '--permission', ...readable, `--max-old-space-size=${megabytes}`]
}
