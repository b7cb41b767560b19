import type { FastifyInstance } from 'fastify'
import type { Parts } from '../server/parts.ts'
import { addFirstSteps } from './first-steps.routes.ts'
import { addStartPage } from './start.routes.ts'

/** Adds the routes of the start page. */
export function addStartRoom(app: FastifyInstance, parts: Parts): void {
  addStartPage(app, parts)
  addFirstSteps(app, parts)
}
