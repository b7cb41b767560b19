import { shownSettings } from '../src/config.ts'
import { openInstallation } from '../src/copies/open-installation.server.ts'
import { examineInstallation, examineSettings } from '../src/watch/doctor.server.ts'
import { runCommand, type Status } from './command.ts'

const USAGE = `npm run doctor

Prints the settings (no secrets), how the installation is doing, and what is wrong, while Ringbind runs or does not. Tries the
mail server, the bucket and the certificate. Changes nothing. Ends with 0 when all is well, 1 when it could not look, and 2 when
something is wrong: a line each.`

await runCommand(USAGE, { least: 0, most: 0 }, async ({ config, say, signal }): Promise<Status> => {
  const list = (title: string, lines: string[]) => {
    if (lines.length > 0) [title, ...lines.map((line) => `  ${line}`)].forEach(say)
  }
  list('Settings that are not the default:', shownSettings(process.env))
  const settings = await examineSettings(config)
  const findings = await look().catch((error: Error) => error)
  if (!(findings instanceof Error)) list('Facts:', findings.facts)
  list('Advice:', [...settings.advice, ...(findings instanceof Error ? [] : findings.advice)])
  const wrong = [...settings.wrong, ...(findings instanceof Error ? [] : findings.wrong)]
  list('Wrong:', wrong)
  if (findings instanceof Error) throw findings
  if (wrong.length === 0) say('All is well.')
  return wrong.length === 0 ? 0 : 2

  async function look() {
    await using installation = await openInstallation(config, { say, signal, onlyReads: true })
    return await examineInstallation(installation)
  }
})
