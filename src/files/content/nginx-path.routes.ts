import type { FastifyRequest } from 'fastify'
import { isTrusted } from '../../server/http/address.ts'
import type { Parts } from '../../server/parts.ts'
import type { Content } from './content.db.ts'

/** The `internal` location in `docs/nginx.conf`, and the header with which nginx says that it has one. */
const NGINX_FILES = '/ringbind-files/'
const NGINX_MARK = 'x-ringbind-nginx'

const OURS_TO_ANSWER = ['if-match', 'if-range', 'if-unmodified-since']

type Asked = Pick<FastifyRequest, 'headers' | 'socket'>

/** Finds the path of a file for nginx, if NGINX_SENDS_FILES is on and the request came through nginx; null otherwise. */
export function findNginxPath({
  config,
  storage,
}: Pick<Parts, 'config' | 'storage'>): (request: Asked, file: Content) => Promise<string | null> {
  const isProxy = isTrusted(config.trustProxy)
  return async ({ headers, socket }, file) => {
    if (!config.nginxSendsFiles || headers[NGINX_MARK] !== '1' || file.size === 0) return null
    if (!isProxy(socket.remoteAddress ?? '')) return null
    // nginx does not know our ETags, and takes a file's time for its date: it would refuse what we have just accepted.
    if (OURS_TO_ANSWER.some((name) => headers[name] !== undefined)) return null
    const path = await storage.findPath?.(file.blob_key, file.size)
    return path ? NGINX_FILES + path : null
  }
}

/** Returns the headers of the answer to nginx, which adds the file's length and range, and Accept-Ranges to a whole file. */
export function headersForNginx(headers: Record<string, string>, status: number, path: string) {
  const { 'accept-ranges': ranges, ...others } = headers
  return { ...others, ...(status === 206 && { 'accept-ranges': ranges }), 'x-accel-redirect': path }
}
