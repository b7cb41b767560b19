import { createConnection, type Socket } from 'node:net'
import { NAME } from '../neighbours/nginx.ts'

/** Connections of people who hold on to the server without using it. They come from many networks of 127.0.0.0/8. */
export class RudeClients {
  #sockets: Socket[] = []
  #timers: NodeJS.Timeout[] = []
  #port: number

  constructor(port: number) {
    this.#port = port
  }

  /** Connections that never say anything. */
  addIdle(many: number): void {
    for (let number = 0; number < many; number++) this.#connect(number)
  }

  /** Headers that come letter by letter. */
  addSlowHeaders(many: number): void {
    this.#addSlow(many, (socket) => {
      socket.write(`GET /login HTTP/1.1\r\nHost: ${NAME}\r\nX-Slow: `)
      return 'a'
    })
  }

  /** Forms that come letter by letter. */
  addSlowBodies(many: number): void {
    this.#addSlow(many, (socket) => {
      const type = 'Content-Type: application/x-www-form-urlencoded'
      socket.write(`POST /login HTTP/1.1\r\nHost: ${NAME}\r\n${type}\r\nContent-Length: 5000\r\n\r\nemail=`)
      return 'a'
    })
  }

  /** Clients that ask for many pages and read none. */
  addSlowReaders(many: number): void {
    const page = `GET /login HTTP/1.1\r\nHost: ${NAME}\r\nX-Forwarded-Proto: https\r\n\r\n`
    for (let number = 0; number < many; number++) {
      const socket = this.#connect(number)
      socket.pause()
      socket.once('connect', () => socket.write(page.repeat(20)))
    }
  }

  /** How many are still connected. */
  get open(): number {
    return this.#sockets.filter((socket) => !socket.destroyed).length
  }

  leave(): void {
    this.#timers.forEach(clearInterval)
    for (const socket of this.#sockets) socket.destroy()
  }

  #addSlow(many: number, begin: (socket: Socket) => string): void {
    for (let number = 0; number < many; number++) {
      const socket = this.#connect(number)
      socket.resume()
      socket.once('connect', () => {
        const piece = begin(socket)
        this.#timers.push(setInterval(() => socket.writable && socket.write(piece), 1000))
      })
    }
  }

  #connect(number: number): Socket {
    const localAddress = `127.1.0.${1 + (number % NETWORKS)}`
    const socket = createConnection({ port: this.#port, host: '127.0.0.1', localAddress })
    socket.on('error', () => undefined)
    this.#sockets.push(socket)
    return socket
  }
}

const NETWORKS = 50
