import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { PieceCheck, typeOf } from './measure.ts'

const [HTML, SVG, XML, TEXT, OCTETS] = [
  'text/html',
  'image/svg+xml',
  'application/xml',
  'text/plain',
  'application/octet-stream',
]
const SCRIPT = '<script>alert(1)</script>'

describe('the type of the first bytes', () => {
  it.each([
    [`<html>${SCRIPT}`, HTML],
    ['<!DOCTYPE html><title>x</title>', HTML],
    ['<!doctype html>', HTML],
    ['<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1.dtd"><x>', HTML],
    [`\ufeff\r\n\t <!-- a --><!-- b\n-->\n<HTML>`, HTML],
    [SCRIPT, HTML],
    ['<SCRIPT\nsrc=x>', HTML],
    ['<img src=x onerror=alert(1)>', HTML],
    ['<img/src=x>', HTML],
    ['<!-- never ends', HTML],
    ['<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>', HTML],
    ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', SVG],
    ['<SVG/onload=alert(1)>', SVG],
    ['<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by x -->\n<svg/>', SVG],
    ['<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd"><svg/>', SVG],
    ['<!DOCTYPE svg [ <!ENTITY a "b>c"> ]><x:svg xmlns:x="http://www.w3.org/2000/svg"/>', SVG],
    ['<s:svg xmlns:s="http://www.w3.org/2000/svg"/>', SVG],
    ['<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="x"?><a/>', XML],
    ['<?xml version="1.0"?>\n<faktura/>', XML],
    ['<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2">', XML],
    ['<!DOCTYPE note SYSTEM "x.dtd"><note/>', XML],
    [Buffer.from('\ufeff<?xml version="1.0"?><svg/>', 'utf16le'), XML],
    ['Kære investor\r\n\tæøå\n', TEXT],
    ['\ufeffKære investor', TEXT],
    ['<navn@example.dk> skrev:', TEXT],
    ['<Dato> og <sted>', TEXT],
    ['<3 tal', TEXT],
    ['a < b', TEXT],
    [`Se her: ${SCRIPT}`, TEXT],
    ['<!-- en note -->\n# Referat', TEXT],
    ['Nummer;Navn\n1024;K/S Nordhavn', TEXT],
    ['BMW 320d, leasing', TEXT],
    ['MZ er initialer', TEXT],
    ['From: <a@b.dk>\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=x', TEXT],
    ['', TEXT],
    [Buffer.from('\ufeff<html>', 'utf16le'), OCTETS],
    [Buffer.from([0x61, 0xff, 0x62]), OCTETS],
    [Buffer.from([0, 1, 2, 3]), OCTETS],
    [`%PDF-1.7\n${SCRIPT}`, 'application/pdf'],
    [`${SCRIPT}\n%PDF-1.7`, HTML],
    ['GIF89a/*  */=1;alert(1)', 'image/gif'],
  ])('the type of the first bytes %j', async (bytes, type) => {
    expect(await typeOf(Buffer.from(bytes).subarray(0, 64 * 1024))).toBe(type)
  })

  it('bytes that a comment fills are HTML', async () => {
    expect(await typeOf(Buffer.from(`<!--${'x'.repeat(64 * 1024)}`))).toBe(HTML)
  })

  it('finds the type fast, whatever the bytes are', async () => {
    const heads = [
      '<',
      '<!--',
      '<?',
      ' ',
      '<!--a-->',
      '<?a?>',
      '<!doctype',
      '<!doctype [',
      '<a ',
      '<a:',
      '\t<!',
    ]
    for (const head of heads) {
      const began = performance.now()
      await typeOf(Buffer.from(head.repeat(64 * 1024)).subarray(0, 64 * 1024))
      expect([head, performance.now() - began < 200]).toEqual([head, true])
    }
  })
})

describe('a file compared with the checksums of its pieces', () => {
  const bytes = randomBytes(1000)
  const piece = (first: number, size: number) => ({
    first,
    size,
    sha256: createHash('sha256')
      .update(bytes.subarray(first, first + size))
      .digest('hex'),
  })
  const check = (pieces: ReturnType<typeof piece>[], file: Buffer, chunk: number) => {
    const compared = new PieceCheck(pieces)
    for (let from = 0; from < file.length; from += chunk) compared.update(file.subarray(from, from + chunk))
    return compared.isRight
  }
  const spoilt = (at: number) => {
    const other = Buffer.from(bytes)
    other[at]! ^= 1
    return other
  }

  it.each([1, 7, 100, 300, 1000])(
    'accepts a file that matches its piece checksums, in chunks of %i',
    (chunk) => {
      for (const pieces of [
        [],
        [piece(0, 1000)],
        [piece(0, 300), piece(300, 700)],
        [piece(10, 1), piece(500, 20)],
      ])
        expect(check(pieces, bytes, chunk)).toBe(true)
    },
  )

  it.each([
    ['in the first piece', 0, false],
    ['at the end of a piece', 299, false],
    ['in a gap', 350, true],
    ['in the last piece', 999, false],
  ])('compares a file with a wrong byte %s', (_where, at, isRight) => {
    for (const chunk of [1, 64, 1000])
      expect(check([piece(0, 300), piece(400, 600)], spoilt(at), chunk)).toBe(isRight)
  })
})
