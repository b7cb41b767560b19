import type { ErrorCode } from '../../base/error-codes.ts'
import type { FastifyRequest } from 'fastify'
import { networkOf } from '../../server/http/address.ts'
import { Refusal, tooMany } from '../../server/http/errors.ts'
import type { FindBearer, SignedIn } from '../../server/http/permit.ts'
import type { Parts } from '../../server/parts.ts'
import { imageAddress } from '../users/image-address.ts'
import { SECRET } from './token.ts'
import { findBySecret, noteUse, type TokenRow } from './tokens.db.ts'
import { WrongTokens } from './wrong-tokens.ts'

/** Makes what finds the person of an API key. It throws why a key is refused. */
export function bearerFinder({ db }: Pick<Parts, 'db'>): FindBearer {
  const wrong = new WrongTokens()

  function refuse(request: FastifyRequest, code: ErrorCode, message: string): never {
    const wait = wrong.count(networkOf(request.ip), performance.now())
    if (wait > 0)
      throw tooMany(wait, 'Der kom for mange forkerte API-nøgler herfra. Vent lidt, og prøv igen.')
    throw Object.assign(new Refusal(401, message), { code })
  }

  return async (request, secret) => {
    const row = SECRET.test(secret) ? await findBySecret(db, secret) : null
    if (!row) return refuse(request, 'unknown_token', 'API-nøglen findes ikke.')
    const [code, message] = reasonOf(row) ?? []
    if (code && message) return refuse(request, code, message)
    if (row.is_stale) await noteUse(db, row.token_id)
    return { user: userIn(row), token: { id: row.token_id, scopes: row.scopes } }
  }
}

/** A key is no fresh proof, and nobody sees Ringbind as somebody else with one. */
function userIn(row: TokenRow): SignedIn {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    image: imageAddress(row.id, row.image_key),
    factorDue: null,
    isFresh: false,
    hasFactor: row.has_factor,
    hasPassword: row.has_password,
    viewedBy: null,
  }
}

function reasonOf(row: TokenRow): [code: ErrorCode, message: string] | null {
  if (row.is_revoked || row.is_deactivated) return ['token_revoked', 'API-nøglen er spærret.']
  if (row.is_expired) return ['token_expired', 'API-nøglen er udløbet. Lav en ny på Min profil.']
  if (row.is_factor_due) return ['factor_due', 'Kontoret kræver totrinslogin. Slå det til på Min profil.']
  return null
}
