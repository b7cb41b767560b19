import { describe, expect, it } from 'vitest'
import { answerTo, contentDisposition, dispositionOf, headersOf, partOf, sentType } from './content.ts'

const OCTETS = 'application/octet-stream'
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

describe('S2.2 opening', () => {
  it.each([
    ['application/pdf', 'Årsrapport.pdf', 'inline', 'application/pdf'],
    ['application/pdf', 'side.html', 'inline', 'application/pdf'],
    ['image/png', 'a.png', 'inline', 'image/png'],
    ['image/apng', 'a.png', 'inline', 'image/apng'],
    ['image/jpeg', 'a.jpg', 'inline', 'image/jpeg'],
    ['image/gif', 'a.js', 'inline', 'image/gif'],
    ['image/webp', 'a', 'inline', 'image/webp'],
    ['text/plain', 'Referat.txt', 'inline', 'text/plain; charset=utf-8'],
    ['text/plain', 'REFERAT.TXT', 'inline', 'text/plain; charset=utf-8'],
    ['text/plain', 'a.csv', 'inline', 'text/plain; charset=utf-8'],
    ['text/plain', 'a.md', 'inline', 'text/plain; charset=utf-8'],
    ['text/plain', 'a.log', 'inline', 'text/plain; charset=utf-8'],
    ['text/plain', 'a.text', 'inline', 'text/plain; charset=utf-8'],
    ['text/plain', 'Referat', 'inline', 'text/plain; charset=utf-8'],
    ['text/plain', 'a.html', 'attachment', OCTETS],
    ['text/plain', 'a.txt.html', 'attachment', OCTETS],
    ['text/plain', 'a.svg', 'attachment', OCTETS],
    ['text/plain', 'a.mht', 'attachment', OCTETS],
    ['text/plain', 'a.js', 'attachment', OCTETS],
    ['text/plain', '.htaccess', 'attachment', OCTETS],
    ['text/plain', 'a.', 'attachment', OCTETS],
    ['text/html', 'a.txt', 'attachment', OCTETS],
    ['text/html', 'a.pdf', 'attachment', OCTETS],
    ['image/svg+xml', 'a.svg', 'attachment', OCTETS],
    ['application/xml', 'a.xml', 'attachment', OCTETS],
    ['text/xml', 'a.txt', 'attachment', OCTETS],
    ['message/rfc822', 'a.eml', 'attachment', OCTETS],
    ['application/javascript', 'a.txt', 'attachment', OCTETS],
    ['application/x-msdownload', 'a.exe', 'attachment', OCTETS],
    [OCTETS, 'a.pdf', 'attachment', OCTETS],
    [WORD, 'a.docx', 'attachment', WORD],
    ['application/zip', 'a.zip', 'attachment', 'application/zip'],
    ['application/zip.html', 'a.zip', 'attachment', OCTETS],
    ['image/tiff', 'a.tif', 'attachment', 'image/tiff'],
    ['video/mp4', 'a.mp4', 'attachment', 'video/mp4'],
  ] as const)('sends a file of the type %s named %j %s as %s', (type, name, disposition, sent) => {
    expect(dispositionOf({ type, name })).toBe(disposition)
    expect(sentType(type, disposition)).toBe(sent)
  })
})

describe('S2.2 a stored file can run nothing', () => {
  const policy = (type: string, disposition: 'inline' | 'attachment') =>
    headersOf({ type, name: 'a', size: 1, sha256: 'x' }, disposition)['content-security-policy']!.split('; ')

  it.each([
    ['application/pdf', 'inline', false],
    ['application/pdf', 'attachment', true],
    ['text/plain', 'inline', true],
    ['image/gif', 'inline', true],
    ['text/html', 'attachment', true],
  ] as const)('whether %s, sent %s, is in a sandbox: %s', (type, disposition, isSandboxed) => {
    expect(policy(type, disposition).includes('sandbox')).toBe(isSandboxed)
    expect(policy(type, disposition)).toEqual(
      expect.arrayContaining([
        `default-src 'none'`,
        `form-action 'none'`,
        `frame-ancestors ${disposition === 'inline' ? `'self'` : `'none'`}`,
      ]),
    )
    expect(policy(type, disposition).join(' ')).not.toMatch(/script-src|allow-/)
  })
})

describe('S2.3 the name of a download', () => {
  it.each([
    ['Bilag 1.pdf', 'Bilag 1.pdf', 'Bilag%201.pdf'],
    ['Årsrapport æøå.pdf', 'Aarsrapport aeoeaa.pdf', '%C3%85rsrapport%20%C3%A6%C3%B8%C3%A5.pdf'],
    ['A\u030Arsrapport.pdf', 'Aarsrapport.pdf', 'A%CC%8Arsrapport.pdf'],
    ['Café.pdf', 'Cafe.pdf', 'Caf%C3%A9.pdf'],
    ['a"b.pdf', "a'b.pdf", 'a%22b.pdf'],
    ['a\\".pdf', "a_'.pdf", 'a%5C%22.pdf'],
    ['50 %.pdf', '50 _.pdf', '50%20%25.pdf'],
    ['a%22;b=c.pdf', 'a_22;b=c.pdf', 'a%2522%3Bb%3Dc.pdf'],
    ["d'Anjou (1).pdf", "d'Anjou (1).pdf", 'd%27Anjou%20%281%29.pdf'],
    ['a*b.pdf', 'a*b.pdf', 'a%2Ab.pdf'],
    ['😀.pdf', '_.pdf', '%F0%9F%98%80.pdf'],
    ['a\r\nset-cookie: x=1', 'a__set-cookie: x=1', 'a%0D%0Aset-cookie%3A%20x%3D1'],
    ['\ud800.pdf', '_.pdf', '%EF%BF%BD.pdf'],
    ['../../etc/passwd', '.._.._etc_passwd', '..%2F..%2Fetc%2Fpasswd'],
    ['報告.pdf', '__.pdf', '%E5%A0%B1%E5%91%8A.pdf'],
  ])('writes the download name %j', (name, plain, extended) => {
    const header = contentDisposition('attachment', name)
    expect(header).toBe(`attachment; filename="${plain}"; filename*=UTF-8''${extended}`)
    expect(header).toMatch(/^[\x20-\x7e]*$/)
  })
})

describe('S2.2 a range of 100 bytes', () => {
  it.each([
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=10-19', { first: 10, last: 19 }],
    ['bytes=10-', { first: 10, last: 99 }],
    ['bytes=99-', { first: 99, last: 99 }],
    ['bytes=90-1000', { first: 90, last: 99 }],
    ['bytes=-1', { first: 99, last: 99 }],
    ['bytes=-100', { first: 0, last: 99 }],
    ['bytes=-1000', { first: 0, last: 99 }],
    ['Bytes= 1-2 ', { first: 1, last: 2 }],
    [`bytes=1-${'9'.repeat(40)}`, { first: 1, last: 99 }],
    ['bytes=100-', 'none'],
    ['bytes=100-200', 'none'],
    [`bytes=${'9'.repeat(40)}-`, 'none'],
    ['bytes=-0', 'none'],
    ['bytes=-00', 'none'],
    ['bytes=2-1', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=', 'whole'],
    ['bytes', 'whole'],
    ['', 'whole'],
    ['bytes=a-b', 'whole'],
    ['bytes=1-2-3', 'whole'],
    ['bytes=0x1-2', 'whole'],
    ['bytes=+1-2', 'whole'],
    ['lines=1-2', 'whole'],
    ['bytes=0-1,3-4', 'whole'],
    ['bytes=0-1,', 'whole'],
  ])('reads the range %j', (range, part) => {
    expect(partOf(range, 100)).toEqual(part)
  })

  it('any range of an empty file means the whole file', () => {
    for (const range of ['bytes=0-', 'bytes=-5', 'bytes=0-0']) expect(partOf(range, 0)).toBe('whole')
  })
})

describe('S2.2 the answer to a request', () => {
  const file = { size: 10, sha256: 'abc' }
  it.each<[Record<string, string>, ReturnType<typeof answerTo>]>([
    [{}, { status: 200 }],
    [{ 'if-none-match': '"abc"' }, { status: 304 }],
    [{ 'if-none-match': 'W/"abc"' }, { status: 304 }],
    [{ 'if-none-match': '"x", W/"y" ,"abc"' }, { status: 304 }],
    [{ 'if-none-match': '*' }, { status: 304 }],
    [{ 'if-none-match': '"x"' }, { status: 200 }],
    [{ 'if-none-match': 'abc' }, { status: 200 }],
    [{ 'if-none-match': '"abc"', range: 'bytes=0-1' }, { status: 304 }],
    [{ 'if-none-match': '' }, { status: 200 }],
    [{ 'if-match': '"abc"' }, { status: 200 }],
    [{ 'if-match': '"x", "abc"' }, { status: 200 }],
    [{ 'if-match': '*' }, { status: 200 }],
    [{ 'if-match': '"x"' }, { status: 412 }],
    [{ 'if-match': 'W/"abc"' }, { status: 412 }],
    [{ 'if-match': '"x"', 'if-none-match': '"abc"' }, { status: 412 }],
    [{ range: 'bytes=2-3' }, { status: 206, part: { first: 2, last: 3 } }],
    [
      { range: 'bytes=2-3', 'if-range': '"abc"' },
      { status: 206, part: { first: 2, last: 3 } },
    ],
    [{ range: 'bytes=2-3', 'if-range': '"x"' }, { status: 200 }],
    [{ range: 'bytes=2-3', 'if-range': 'W/"abc"' }, { status: 200 }],
    [{ range: 'bytes=2-3', 'if-range': 'Sun, 15 Nov 2026 09:00:00 GMT' }, { status: 200 }],
    [{ range: 'bytes=10-' }, { status: 416 }],
    [{ range: 'bytes=10-', 'if-range': '"x"' }, { status: 200 }],
  ])('answers a request with the headers %j', (headers, answer) => {
    expect(answerTo('GET', headers, file)).toEqual(answer)
  })

  it('never sends a part of the file for HEAD', () => {
    expect(answerTo('HEAD', { range: 'bytes=2-3' }, file)).toEqual({ status: 200 })
    expect(answerTo('HEAD', { range: 'bytes=20-' }, file)).toEqual({ status: 200 })
    expect(answerTo('HEAD', { 'if-none-match': '"abc"' }, file)).toEqual({ status: 304 })
  })
})
