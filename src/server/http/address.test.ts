import { expect, it } from 'vitest'
import { cleanAddress, networkOf } from './address.ts'

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['unknown', null],
  [undefined, null],
  ['', null],
  ['1.2.3.4.5', null],
])('the address in %j is %j', (text, address) => {
  expect(cleanAddress(text)).toBe(address)
})

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:0db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['garbage', 'unknown'],
])('the client %j is counted as %j', (text, network) => {
  expect(networkOf(text)).toBe(network)
})
