import fastifyStatic from '@fastify/static'
import { fastify } from 'fastify'

const app = fastify({ forceCloseConnections: true })
app.get('/', () => 'hello')
await app.register(fastifyStatic, { root: process.env.ROOT!, prefix: '/files/' })
console.log(`@fastify/static is running at ${await app.listen({ port: 0, host: '127.0.0.1' })}`)
process.once('SIGTERM', () => void app.close())
