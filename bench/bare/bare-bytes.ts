import { readFileSync } from 'node:fs'
import { fastify } from 'fastify'
import { Pool } from 'pg'

// The least that an act costs: a bare Fastify answers the bytes of FILE from memory, and commits one change at SOCKET.
const bytes = process.env.FILE ? readFileSync(process.env.FILE) : Buffer.from('hello')
const pool = process.env.SOCKET
  ? new Pool({ host: process.env.SOCKET, user: 'postgres', database: 'ringbind' })
  : null
const app = fastify()
app.get('/', () => 'hello')
app.get('/bytes', (_request, reply) => reply.type('text/html').send(bytes))
app.post('/change', async () => {
  await pool!.query({ name: 'change', text: 'update bare set number = number + 1 where id = 1' })
  return { success: true }
})
app.addHook('onClose', () => pool?.end())
console.log(`A bare Fastify is running at ${await app.listen({ port: 0, host: '127.0.0.1' })}`)
process.once('SIGTERM', () => void app.close())
