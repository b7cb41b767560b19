import type { FastifyInstance } from 'fastify'
import type { Parts } from '../server/parts.ts'
import { addHooks } from './hooks/hooks.routes.ts'
import { addPrograms } from './programs.routes.ts'

/** Adds the routes of other programs. */
export function addProgramsRoom(app: FastifyInstance, parts: Parts): void {
  addHooks(app, parts)
  addPrograms(app, parts)
}
