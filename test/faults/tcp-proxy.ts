import { once } from 'node:events'
import { createConnection, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterwards } from '../clean-up.ts'

/** A network that passes everything on, refuses every connection and ends the old ones, or swallows every byte. */
export type Weather = 'fine' | 'refuses' | 'silent'

export type TcpProxy = { port: number; turn: (weather: Weather) => Promise<void> }

/** Starts a proxy in front of a port of 127.0.0.1, to cut off the network of its users. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let weather: Weather = 'fine'
  /** Connections that were made while the network was silent. */
  let waiting: Socket[] = []
  const keep = (socket: Socket, other: () => Socket | undefined) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => {
      sockets.delete(socket)
      other()?.destroy()
    })
    return socket
  }
  const join = (from: Socket) => {
    if (from.destroyed) return
    const to: Socket = keep(createConnection(target, '127.0.0.1'), () => from)
    from.once('close', () => to.destroy())
    from.pipe(to)
    to.pipe(from)
  }
  const accept = (from: Socket) => {
    keep(from, () => undefined)
    if (weather === 'silent') waiting.push(from)
    else join(from)
  }
  let server: Server = createServer({ pauseOnConnect: true }, accept)
  const listen = async (at: number) => {
    server = createServer({ pauseOnConnect: true }, accept).listen(at, '127.0.0.1')
    await once(server, 'listening')
  }
  const end = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  afterwards(async () => end())
  return {
    port,
    async turn(next) {
      if (weather === 'refuses' && next !== 'refuses') await listen(port)
      weather = next
      if (next === 'refuses') end()
      else if (next === 'silent') for (const socket of sockets) socket.unpipe().pause()
      else {
        // Connections cut in the middle of a message cannot continue: a router that restarts has forgotten them too.
        const late = waiting
        waiting = []
        for (const socket of sockets) if (!late.includes(socket)) socket.destroy()
        late.forEach(join)
      }
    },
  }
}
