import { describe, expect, it } from 'vitest'
import { findTarget, placeOf, readTarget, TargetFault, type Resolve } from './target.server.ts'

describe('an address', () => {
  it.each([
    '127.0.0.1',
    '127.8.9.10',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::8.8.8.8',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    'not an address',
    '',
  ])('refuses the private address %s', (address) => {
    expect(placeOf(address, [])).toBe('refused')
  })

  it.each([
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '2a00:1450:400f::1',
    '64:ff9b::8.8.8.8',
    '::ffff:8.8.8.8',
  ])('accepts the public address %s', (address) => {
    expect(placeOf(address, [])).toBe('public')
  })

  it.each([
    ['10.1.2.3', 'allowed'],
    ['::ffff:10.1.2.3', 'allowed'],
    ['fd00::5', 'allowed'],
    ['192.168.1.1', 'refused'],
    ['8.8.8.8', 'public'],
  ])('the address %s is %s if some networks are allowed', (address, place) => {
    expect(placeOf(address, ['10.0.0.0/8', 'fd00::/8'])).toBe(place)
  })

  it.each(['0.0.0.0', '::', '224.0.0.1', 'ff02::1', '255.255.255.255'])(
    'the address %s is refused even if all networks are allowed, since it is no single computer',
    (address) => {
      expect(placeOf(address, ['0.0.0.0/0', '::/0'])).toBe('refused')
    },
  )
})

it.each([
  ['regnskab.example.dk', /hel adresse/],
  ['ftp://example.dk/', /https/],
  ['javascript:alert(1)', /https/],
  ['https://bo:hemmelig@example.dk/', /brugernavn/],
  ['https://example.dk/#a', /#/],
  ['https://example.dk:22/', /Porten/],
  ['https://example.dk:25/', /Porten/],
  ['https://example.dk:0/', /Porten/],
])('refuses the URL %s', (text, message) => {
  expect(() => readTarget(text)).toThrow(message)
})

describe('a name', () => {
  const answers =
    (...addresses: string[]): Resolve =>
    () =>
      Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))
  const find = (url: string, resolve: Resolve, networks: string[] = []) =>
    findTarget(url, { networks, resolve })

  it('a name resolves to the addresses that are checked', async () => {
    const { addresses } = await find('https://a.example/', answers('8.8.8.8', '2a00::1'))
    expect(addresses.map(({ address }) => address)).toEqual(['8.8.8.8', '2a00::1'])
  })

  it('a name is refused if only one of its addresses is inside', async () => {
    await expect(find('https://a.example/', answers('8.8.8.8', '10.0.0.1'))).rejects.toThrow('HOOK_NETWORKS')
  })

  it('a name is refused without encryption, unless it is inside an allowed network', async () => {
    await expect(find('http://a.example/', answers('8.8.8.8'))).rejects.toThrow('https')
    await expect(find('http://a.example/', answers('10.0.0.1', '8.8.8.8'), ['10.0.0.0/8'])).rejects.toThrow(
      'https',
    )
    await expect(find('http://a.example/', answers('10.0.0.1'), ['10.0.0.0/8'])).resolves.toBeTruthy()
  })

  it('an unknown name has its own fault', async () => {
    const fails: Resolve = () => Promise.reject(new Error('ENOTFOUND'))
    for (const resolve of [fails, answers()]) {
      const error = await find('https://a.example/', resolve).catch((fault: unknown) => fault)
      expect(error).toBeInstanceOf(TargetFault)
      expect(error).toMatchObject({ kind: 'no-such-host' })
    }
  })

  it.each(['https://127.0.0.1/', 'https://0x7f.1/', 'https://2130706433/', 'https://[::1]/', 'https://0/'])(
    '%s is recognised as an address, however it is written, and not looked up',
    async (url) => {
      const never: Resolve = () => Promise.reject(new Error('asked'))
      await expect(find(url, never)).rejects.toMatchObject({ kind: 'not-allowed' })
    },
  )
})
