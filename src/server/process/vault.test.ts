import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshDirectory } from '../../../test/directory.ts'
import { KEY_FILE, openVault, Vault } from './vault.ts'

const plain = Buffer.from('hemmelig')

it('opens what it has sealed, for the same purpose, unchanged, and with the same key', () => {
  const vault = new Vault(Buffer.alloc(32, 1))
  const sealed = vault.seal(plain, 'Bo')
  expect(vault.open(sealed, 'Bo')).toEqual(plain)
  expect(sealed.includes(plain)).toBe(false)
  expect(vault.seal(plain, 'Bo')).not.toEqual(sealed)
  expect(vault.open(sealed, 'Ida')).toBeNull()
  expect(new Vault(Buffer.alloc(32, 2)).open(sealed, 'Bo')).toBeNull()
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    expect(vault.open(changed, 'Bo')).toBeNull()
  }
  expect(vault.open(Buffer.alloc(5), 'Bo')).toBeNull()
})

it('makes the key once, readable by its user only, also when several start at once', async () => {
  const directory = await freshDirectory()
  const vaults = await Promise.all(Array.from({ length: 5 }, () => openVault(null, directory)))
  const sealed = vaults[0]!.seal(plain, 'Bo')
  for (const vault of vaults) expect(vault.open(sealed, 'Bo')).toEqual(plain)
  expect((await stat(join(directory, KEY_FILE))).mode & 0o777).toBe(0o600)
  const key = (await readFile(join(directory, KEY_FILE), 'utf8')).trim()
  expect((await openVault(key, await freshDirectory())).open(sealed, 'Bo')).toEqual(plain)
})

it('never replaces a damaged key', async () => {
  const directory = await freshDirectory()
  await writeFile(join(directory, KEY_FILE), 'ab')
  await expect(openVault(null, directory)).rejects.toThrow('is damaged')
})
