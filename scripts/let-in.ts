import { letIn } from '../src/accounts/sign-in/let-in.db.ts'
import { openInstallation } from '../src/copies/open-installation.server.ts'
import { runCommand } from './command.ts'

const USAGE = `npm run let-in -- E-MAIL

Prints a link that lets the person with this e-mail choose a password and sign in, once, within two hours. For the keeper of
the server, when nobody in the office can sign in. The log says that a link was made on the server. Works while Ringbind runs
and while it does not. Ends with 0, or with 1 if nobody active has the e-mail.`

await runCommand(USAGE, { least: 1, most: 1 }, async ({ config, args, say, signal }) => {
  await using installation = await openInstallation(config, { say, signal })
  const made = await letIn(installation.db, args[0]!)
  if (!made) throw new Error('Nobody who may sign in has this e-mail.')
  say(`For ${made.name}, once, within ${made.hours} hours:`)
  say(config.appUrl + made.path)
  return 0
})
