import { Readable } from 'node:stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { urls } from '../../urls.ts'
import { receiveTemporaryFile, removeTemporaryFiles } from './temporary.db.ts'

let test: TestApp
let office: Entered

beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
  office = await enter(test, 'employee')
})

const send = async (name: string, text: string, { id } = office) =>
  (await receiveTemporaryFile(test, id, name, Readable.from([Buffer.from(text)]), 1e6)).hash_name

describe('a file that is sent and not saved', () => {
  it('opens for its sender, as a PDF that may be framed and runs nothing', async () => {
    const reply = await office.visitor.get(urls.sentFile(await send('Årsrapport.pdf', '%PDF-1.7 årets tal')))
    expect([reply.statusCode, reply.body]).toEqual([200, '%PDF-1.7 årets tal'])
    expect(reply.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="Aarsrapport.pdf"; filename*=UTF-8''%C3%85rsrapport.pdf`,
      'cache-control': 'private, no-cache',
    })
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
  })

  it('is sent in the parts that a viewer asks for, so that a long PDF shows its first page at once', async () => {
    const address = urls.sentFile(await send('Lang.pdf', '%PDF-1.7 side 1 side 2'))
    const reply = await office.visitor.get(address, { headers: { range: 'bytes=0-7' } })
    expect([reply.statusCode, reply.body, reply.headers['content-range']]).toEqual([
      206,
      '%PDF-1.7',
      'bytes 0-7/22',
    ])
    const nothing = await office.visitor.get(address, { headers: { range: 'bytes=99-' } })
    expect(nothing.statusCode).toBe(416)
  })

  it('is downloaded if a browser would run or cannot show it', async () => {
    const hostile = await send('Side.html', '<!doctype html><script>alert(1)</script>')
    const reply = await office.visitor.get(urls.sentFile(hostile))
    expect(reply.headers['content-disposition']).toContain('attachment')
    expect(reply.headers['content-type']).toBe('application/octet-stream')
  })

  it('is nobody else’s, and gone once it is removed', async () => {
    const name = await send('Budget.pdf', '%PDF-1.7 budget')
    const colleague = await enter(test, 'administrator')
    expect((await colleague.visitor.get(urls.sentFile(name))).statusCode).toBe(404)
    await removeTemporaryFiles(test, office.id, [name])
    const gone = await office.visitor.get(urls.sentFile(name))
    expect(gone.statusCode).toBe(404)
    expect(gone.body).toContain('Filen er gemt eller fjernet i mellemtiden.')
    expect((await office.visitor.get(urls.sentFile('findes-ikke'))).statusCode).toBe(404)
  })
})
