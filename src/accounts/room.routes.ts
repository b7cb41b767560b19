import type { FastifyInstance } from 'fastify'
import type { Parts } from '../server/parts.ts'
import { addSignInRules } from './demands/demands.routes.ts'
import { addFactors } from './factor/factor.routes.ts'
import { addSecondStep } from './factor/second-step.routes.ts'
import { addProviders } from './oidc/oidc.routes.ts'
import { addPasswords } from './sign-in/password-links.routes.ts'
import { addProfile } from './profile/profile.routes.ts'
import { addStopMails } from './profile/stop-mails.routes.ts'
import { addTheme } from './profile/theme.routes.ts'
import { addProving } from './proof/prove.routes.ts'
import { addSetup } from './sign-in/setup.routes.ts'
import { addSignIn } from './sign-in/sign-in.routes.ts'
import { addTokens } from './tokens/tokens.routes.ts'
import { addViewEnd } from './view/view.routes.ts'

/** Adds the routes of signing in and of one’s own login. */
export function addAccountsRoom(app: FastifyInstance, parts: Parts): void {
  addTheme(app, parts)
  addSignIn(app, parts)
  addSecondStep(app, parts)
  addProving(app, parts)
  addProviders(app, parts)
  addSetup(app, parts)
  addPasswords(app, parts)
  addProfile(app, parts)
  addTokens(app, parts)
  addFactors(app, parts)
  addSignInRules(app, parts)
  addStopMails(app, parts)
  addViewEnd(app, parts)
}
