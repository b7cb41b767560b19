import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startDebian, type Debian } from '../neighbours/debian.ts'
import { BLOCKS, type Proof } from '../release/document-blocks.ts'
import { listShellBlocks } from '../release/documents.ts'
import { ROOT } from '../start/processes.ts'

const isRoot = process.geteuid?.() === 0

let debian: Debian
beforeAll(async () => {
  if (isRoot) debian = await startDebian()
}, 1_800_000)
afterAll(() => debian?.stop())

type Step = { name: string; text: string; proof: Extract<Proof, { order: number }> }

/** Lists the commands to run, in order. */
const listSteps = (): Step[] =>
  listShellBlocks()
    .flatMap(({ name, text }) => {
      const proof = BLOCKS[name]
      return proof && 'order' in proof ? [{ name, text, proof }] : []
    })
    .toSorted((a, b) => a.proof.order - b.proof.order)

/** apt-get asks nobody here. */
function fillIn({ text, proof: { instead = {}, before = '' } }: Step): string {
  let script = text.replaceAll('apt-get install ', 'apt-get install -y ')
  for (const [old, fresh] of Object.entries(instead)) {
    expect(script).toContain(old)
    script = script.replaceAll(old, fresh)
  }
  return `cd /root\n${before}\n${script}`
}

const UNTIL_READY = `for attempt in $(seq 120); do
  node -e 'fetch("http://127.0.0.1:3000/readyz").then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))' && exit 0
  sleep 1
done
journalctl --unit ringbind --output cat | tail -20
exit 1`

it.runIf(isRoot)(
  'the commands of the documents work in a clean Debian, with the hardened service',
  { timeout: 7_200_000 },
  () => {
    execFileSync('git', ['clone', '--quiet', '--bare', ROOT, join(debian.root, 'srv/ringbind.git')])
    expect(debian.run('apt-get update')).toMatchObject({ status: 0 })
    for (const step of listSteps()) {
      const began = Date.now()
      const { status, said } = debian.run(fillIn(step))
      console.log(`${Math.round((Date.now() - began) / 1000)} s: ${step.name}`)
      expect([step.name, status, said]).toEqual([step.name, step.proof.status ?? 0, expect.any(String)])
      if (step.proof.order > 1) expect(debian.run(UNTIL_READY)).toMatchObject({ status: 0 })
    }
    // nginx speaks HTTP/2 to the world, and the service is locked up as its unit says.
    const page = debian.run(
      'apt-get install -y curl > /dev/null; curl -sk --http2 -o /dev/null -w "%{http_version} %{http_code}" --resolve ringbind.example.dk:443:127.0.0.1 https://ringbind.example.dk/login',
    )
    expect(page.said).toContain('2 200')
    const { said } = debian.run('systemd-analyze security ringbind.service --no-pager | tail -1')
    console.log(said.trim())
    expect(Number(/level for ringbind.service: ([\d.]+)/.exec(said)![1])).toBeLessThan(3)
  },
)
