import { lookup } from 'node:dns/promises'
import { isIP, isIPv4, type LookupFunction } from 'node:net'
import { networkList } from '../../server/http/address.ts'

/** An address that a name resolves to. */
type Resolved = { address: string; family: number }
export type Resolve = (host: string) => Promise<Resolved[]>

/** Asks the system, as everything else on this computer does. */
const resolveName: Resolve = (host) => lookup(host, { all: true })

/** Everything outside the public internet (IANA's registries of special addresses). */
const NOT_PUBLIC = networkList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16', // and so the servers that clouds keep their keys on
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23', // Teredo and other tunnels
  '2001:db8::/32',
  '2002::/16', // tunnels to any IPv4 address
  '3fff::/20',
])
const GLOBAL_V6 = networkList(['2000::/3'])
/** Addresses that mean many computers, or none: never, whatever is configured. */
const NOBODY = networkList(['0.0.0.0/32', '255.255.255.255/32', '224.0.0.0/4', '::/128', 'ff00::/8'])

/** The hook may not be sent there. The message is Danish, for the field of the address. */
export class TargetFault extends Error {
  kind: 'malformed' | 'not-allowed' | 'no-such-host'
  constructor(kind: TargetFault['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

/** Whether an address is public, inside the networks that the configuration allows, or neither. */
export function placeOf(text: string, networks: readonly string[]): 'public' | 'allowed' | 'refused' {
  const address = plainAddress(text)
  if (address === null) return 'refused'
  const kind = isIPv4(address) ? 'ipv4' : 'ipv6'
  if (NOBODY.check(address, kind)) return 'refused'
  if (networks.length > 0 && networkList(networks).check(address, kind)) return 'allowed'
  if (NOT_PUBLIC.check(address, kind)) return 'refused'
  return kind === 'ipv4' || GLOBAL_V6.check(address, kind) ? 'public' : 'refused'
}

/**
 * Returns '127.0.0.1' for '::ffff:7f00:1' and '64:ff9b::127.0.0.1', which mean the same. Returns null for a text that
 * is no address.
 */
function plainAddress(text: string): string | null {
  if (isIP(text) === 0 || text.includes('%')) return null
  if (isIPv4(text)) return text
  const groups = groupsOf(text)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  const isNat64 =
    groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every((group) => group === 0)
  if (!isMapped && !isNat64) return text
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.')
}

/** The eight numbers of an IPv6 address. */
function groupsOf(text: string): number[] {
  // A URL writes every IPv6 address the same way, without dots.
  const [head = '', tail] = new URL(`http://[${text}]/`).hostname.slice(1, -1).split('::')
  const numbers = (half = '') =>
    half
      .split(':')
      .filter(Boolean)
      .map((part) => parseInt(part, 16))
  const [before, after] = [numbers(head), numbers(tail)]
  const missing = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<number>(missing).fill(0), ...after]
}

/** Below 1024 only the ports of the web: no other service of a computer is spoken to. */
const isWebPort = (port: number) => port === 80 || port === 443 || port >= 1024

/** Checks an address as somebody wrote it, without resolving its name. */
export function readTarget(text: string): URL {
  const refuse = (message: string): never => {
    throw new TargetFault('malformed', message)
  }
  if (!URL.canParse(text))
    return refuse('Skriv en hel adresse, for eksempel https://regnskab.example.dk/ringbind.')
  const url = new URL(text)
  const { protocol, username, password, hash, port } = url
  if (protocol !== 'https:' && protocol !== 'http:') return refuse('Adressen skal begynde med https://.')
  if (username !== '' || password !== '')
    return refuse('Adressen må ikke indeholde brugernavn og adgangskode.')
  if (hash !== '') return refuse('Adressen må ikke have en #-del.')
  if (port !== '' && !isWebPort(Number(port))) return refuse('Porten skal være 80, 443 eller mindst 1024.')
  return url
}

export type Target = { url: URL; addresses: Resolved[] }

type Options = { networks: readonly string[]; resolve?: Resolve }

/** Resolves a hook's name. All its addresses must be allowed. */
export async function findTarget(
  text: string,
  { networks, resolve = resolveName }: Options,
): Promise<Target> {
  const url = readTarget(text)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const found = isIP(host) ? [{ address: host, family: isIP(host) }] : await resolveOrRefuse(host, resolve)
  const places = new Set(found.map(({ address }) => placeOf(address, networks)))
  if (places.has('refused'))
    throw new TargetFault(
      'not-allowed',
      'Ringbind må ikke sende til adressens netværk. Den, der driver serveren, kan tillade det med HOOK_NETWORKS.',
    )
  if (url.protocol === 'http:' && places.has('public'))
    throw new TargetFault('not-allowed', 'Adressen skal begynde med https://.')
  return { url, addresses: found }
}

async function resolveOrRefuse(host: string, resolve: Resolve): Promise<Resolved[]> {
  const refuse = (cause?: unknown) =>
    Object.assign(
      new TargetFault('no-such-host', 'Navnet i adressen findes ikke. Kontroller, at det er stavet rigtigt.'),
      { cause },
    )
  const found = await resolve(host).catch((error: unknown) => {
    throw refuse(error)
  })
  if (found.length === 0) throw refuse()
  return found
}

/** Answers a connection's question for the name with the addresses that were checked, and with no others. */
export function lookupOf(addresses: Resolved[]): LookupFunction {
  return (_host, { all }, answer) => {
    const [first] = addresses
    if (all) answer(null, addresses)
    else if (first) answer(null, first.address, first.family)
    else answer(new Error('There is no address.'), '', 0)
  }
}
