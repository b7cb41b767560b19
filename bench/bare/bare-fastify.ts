import { fastify } from 'fastify'

const app = fastify()
app.get('/', () => 'hello')
console.log(`Bare Fastify is running at ${await app.listen({ port: 0, host: '127.0.0.1' })}`)
process.once('SIGTERM', () => void app.close())
