import type { FastifyRequest } from 'fastify'
import { urls } from '../../urls.ts'
import { bearerOf } from './program.ts'

/** Whether a request gets JSON: calls, programs and scripted forms do, a page's address always answers a page. */
export function wantsJson({ url, method, headers }: FastifyRequest): boolean {
  if (url.startsWith(urls.api) || bearerOf({ headers }) !== null) return true
  if (method === 'GET' || method === 'HEAD') return false
  return (
    headers['x-requested-with'] === 'XMLHttpRequest' || (headers.accept ?? '').includes('application/json')
  )
}
