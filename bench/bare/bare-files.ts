import { readFileSync } from 'node:fs'
import { fastify } from 'fastify'
import type { Envelope, PageProps } from '../../src/pages.ts'
import { addRenderer } from '../../src/server/http/render.ts'

// Serves the file list from memory: the same page by the same renderer, and nothing else of Ringbind. PAGE names the
// file with the page's props.

const { props, frame } = JSON.parse(readFileSync(process.env.PAGE!, 'utf8')) as Envelope
const { project } = props as PageProps<'files'>

const app = fastify()
const cookies = {}
app.decorateRequest('cookies', { getter: () => cookies })
app.decorateReply('csrfToken', () => frame.token)
await addRenderer(app, { development: false, frameOf: () => frame })
app.get('/', () => 'hello')
app.get(frame.path, (_request, reply) => reply.page('files', props as PageProps<'files'>, project.name))
console.log(`The bare file list is running at ${await app.listen({ port: 0, host: '127.0.0.1' })}`)
process.once('SIGTERM', () => void app.close())
