import { isIP } from 'node:net'
import { connect } from 'node:tls'

/** This computer's own names, which nobody else uses, so their certificate does not matter. */
const OWN = /^(localhost|.*\.localhost|127\..*|\[::1\])$/

/** Returns the address whose certificate people see, or null if there is none to look after. */
export function certificateHost(appUrl: string): { host: string; port: number } | null {
  const { protocol, hostname, port } = new URL(appUrl)
  if (protocol !== 'https:' || OWN.test(hostname)) return null
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443) }
}

/**
 * Returns when a server's certificate ends. Does not ask whether it is to be trusted: a certificate of the office's own
 * ends as well. Throws if there is no answer in time.
 */
export function findCertificateEnd(host: string, port: number, limitMs: number): Promise<Date> {
  const { promise, resolve, reject } = Promise.withResolvers<Date>()
  const socket = connect({
    host,
    port,
    rejectUnauthorized: false, // nothing is sent, and nothing but the date is read
    ...(isIP(host) === 0 && { servername: host }),
  })
  const limit = setTimeout(() => socket.destroy(new Error(`${host} does not answer`)), limitMs)
  socket.once('error', reject)
  socket.once('close', () => reject(new Error(`${host} has closed the connection`)))
  socket.once('secureConnect', () => {
    const end = new Date(socket.getPeerCertificate().valid_to)
    if (Number.isNaN(end.getTime())) reject(new Error(`${host} has a certificate without an end`))
    else resolve(end)
    socket.destroy()
  })
  return promise.finally(() => clearTimeout(limit))
}
