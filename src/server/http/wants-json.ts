import type { FastifyRequest } from 'fastify'
import { urls } from '../../urls.ts'

/** The address of a page always answers a page; calls and scripted forms get JSON. */
export function wantsJson({ url, method, headers }: FastifyRequest): boolean {
  if (url.startsWith(urls.api)) return true
  if (method === 'GET' || method === 'HEAD') return false
  return (
    headers['x-requested-with'] === 'XMLHttpRequest' || (headers.accept ?? '').includes('application/json')
  )
}
