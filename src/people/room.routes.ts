import type { FastifyInstance } from 'fastify'
import type { Gate } from '../access/gate.ts'
import type { Parts } from '../server/parts.ts'
import { addUserChanges } from './edit-user.routes.ts'
import { addLending } from './lend/lend.routes.ts'
import { addActsOnMany } from './many/many.routes.ts'
import { addPersonImage } from './person-image.routes.ts'
import { addReaders } from './readers/readers.routes.ts'
import { addUserAccess } from './user-access.routes.ts'
import { addUsers } from './users.routes.ts'

/** Adds the routes of users. */
export function addPeopleRoom(app: FastifyInstance, parts: Parts, gate: Gate): void {
  addUsers(app, parts)
  addPersonImage(app, parts)
  addUserChanges(app, parts, gate)
  addUserAccess(app, parts, gate)
  addLending(app, parts, gate)
  addReaders(app, parts)
  addActsOnMany(app, parts, gate)
}
