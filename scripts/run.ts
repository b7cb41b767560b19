import { spawn, spawnSync } from 'node:child_process'

/** Runs a command, and ends this process if it fails. */
export function run(command: string, args: string[], env: Record<string, string> = {}): void {
  if (!runs(command, args, env)) process.exit(1)
}

/** Runs a command, and returns whether it succeeded. */
export function runs(command: string, args: string[], env: Record<string, string> = {}): boolean {
  console.log(`\n$ ${[command, ...args].join(' ')}`)
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  if (error) throw error
  return status === 0
}

/** Runs commands at the same time, and prints what each has said when it ends. Returns whether all succeeded. */
export async function runTogether(commands: [command: string, ...args: string[]][]): Promise<boolean> {
  const codes = await Promise.all(
    commands.map(async ([command, ...args]) => {
      const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: process.env })
      const said: Buffer[] = []
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => said.push(part))
      const code = await new Promise<number>((resolve, reject) => {
        child.once('error', reject).once('close', (status) => resolve(status ?? 1))
      })
      console.log(`\n$ ${[command, ...args].join(' ')}`)
      process.stdout.write(Buffer.concat(said))
      return code
    }),
  )
  return codes.every((code) => code === 0)
}

/** Checks types, lint and format, and ends this process if one of them fails. */
export async function runStaticChecks(): Promise<void> {
  // One checker costs two thirds of the processor time of four, and leaves a core to the others.
  const isGood = await runTogether([['tsc', '--checkers', '1'], ['oxlint'], ['oxfmt', '--check']])
  if (!isGood) process.exit(1)
}
