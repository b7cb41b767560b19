import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** A port of 127.0.0.1 that nobody has. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}
