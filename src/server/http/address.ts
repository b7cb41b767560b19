import { BlockList, isIP, isIPv4 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Returns the address of a request for the log, or null if a proxy sent something that is no address. */
export function addressOf({ ip }: Pick<FastifyRequest, 'ip'>): string | null {
  return cleanAddress(ip)
}

/** Removes the zone, brackets and port that some proxies add: '[2001:db8::1]:4711' becomes '2001:db8::1'. */
export function cleanAddress(text: string | undefined): string | null {
  // A client that has disconnected has no address.
  const bare = (text ?? '').replace(/^\[([^\]]*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  const address = bare.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
  return isIP(address) ? address : null
}

/** Returns the network that an address is counted with: a household or an office has a whole /64 of IPv6. */
export function networkOf(text: string | undefined): string {
  const address = cleanAddress(text)
  if (!address || isIPv4(address)) return address ?? 'unknown'
  const [head = '', tail] = address.split('::')
  const parts = (half: string) => half.split(':').filter(Boolean)
  const missing = tail === undefined ? 0 : 8 - parts(head).length - parts(tail).length
  const all = [...parts(head), ...Array.from({ length: missing }, () => '0'), ...parts(tail ?? '')]
  return `${all
    .slice(0, 4)
    .map((part) => parseInt(part, 16).toString(16))
    .join(':')}::/64`
}

type Hop = (address: string, hop: number) => boolean

/** Whether a connection comes from a trusted proxy, as configured. */
export function isTrusted(proxies: boolean | string[] | Hop): (address: string) => boolean {
  if (typeof proxies === 'boolean') return () => proxies
  if (typeof proxies === 'function') return (address) => proxies(address, 0)
  const list = networkList(proxies)
  return (text) => {
    const address = cleanAddress(text)
    return address !== null && list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
  }
}

/** Addresses, and networks such as 10.0.0.0/8. */
export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [base, bits] = network.split('/') as [string, string?]
    const kind = isIPv4(base) ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(base, kind)
    else list.addSubnet(base, Number(bits), kind)
  }
  return list
}
