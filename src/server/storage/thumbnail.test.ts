import { Readable } from 'node:stream'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { writePdf } from '../../../test/files/pdf.ts'
import { isLong } from '../../../test/long-only.ts'
import { confinedNode } from '../process/confined-node.ts'
import { InputFailed, ProgramFailed, runLimited } from '../process/limited-process.ts'
import { findPageDrawer, makeThumbnail } from './thumbnail.ts'

const pageDrawer = await findPageDrawer()
const from = (...chunks: (Buffer | string)[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)))
const MINUTES = 180_000

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0a0' } })

describe('a thumbnail', () => {
  it.each([
    { what: 'a large photo', width: 3000, height: 2000, expected: [320, 213] },
    { what: 'a tall picture', width: 1000, height: 3000, expected: [151, 452] },
    { what: 'a small picture', width: 40, height: 30, expected: [40, 30] },
  ])(
    'a thumbnail of $what fits and is not enlarged',
    async ({ width, height, expected }) => {
      const made = await makeThumbnail(from(await picture(width, height).jpeg().toBuffer()), null)
      const { format, ...size } = await sharp(made).metadata()
      expect([format, size.width, size.height]).toEqual(['webp', ...expected])
    },
    MINUTES,
  )

  it.skipIf(!pageDrawer)(
    'a thumbnail of a PDF is its first page',
    async () => {
      const made = await makeThumbnail(from(writePdf()), pageDrawer)
      const { format, width, height } = await sharp(made).metadata()
      expect([format, width, height]).toEqual(['webp', 320, 452])
      const { channels } = await sharp(made).stats()
      expect(channels[0]!.min).toBeLessThan(80) // the text
      expect(channels[0]!.max).toBeGreaterThan(250) // the paper
    },
    MINUTES,
  )

  it.skipIf(!pageDrawer).each([
    { what: '10,000 pages', pdf: () => writePdf({ pages: 10_000 }) },
    { what: 'a page of kilometres', pdf: () => writePdf({ box: '0 0 10000000 10000000' }) },
    { what: 'a page like a thread', pdf: () => writePdf({ box: '0 0 2 14400' }), fails: true },
    { what: 'no pages', pdf: () => writePdf({ pages: 0 }), fails: true },
    { what: 'nothing but a head', pdf: () => Buffer.from('%PDF-1.7 og så ikke mere'), fails: true },
    { what: 'an end that is missing', pdf: () => writePdf().subarray(0, 200), fails: true },
    ...(isLong
      ? [
          {
            what: 'a page that takes for ever',
            pdf: () => writePdf({ content: '0 0 m 595 842 l S\n'.repeat(6_000_000) }),
            fails: true,
          },
        ]
      : []),
  ])(
    'of a PDF with $what is harmless',
    async ({ pdf, fails = false }) => {
      const made = makeThumbnail(from(pdf()), pageDrawer, { seconds: 5, clockSeconds: 120 })
      if (fails) await expect(made).rejects.toBeInstanceOf(ProgramFailed)
      else expect((await made).length).toBeLessThan(128 * 1024)
    },
    MINUTES,
  )

  it.each([
    { what: 'a bomb', bytes: () => picture(8000, 8000).png({ compressionLevel: 9 }).toBuffer() },
    {
      what: 'half a picture',
      bytes: async () => (await picture(900, 900).png().toBuffer()).subarray(0, 500),
    },
    { what: 'a drawing', bytes: async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
    { what: 'nothing', bytes: async () => Buffer.from('') },
  ])(
    'no thumbnail is made of $what',
    async ({ bytes }) => {
      await expect(makeThumbnail(from(await bytes()), null)).rejects.toBeInstanceOf(ProgramFailed)
    },
    MINUTES,
  )
})

describe('a limited process', () => {
  const limits = { seconds: 30, megabytes: 64, mostBytes: 1000 }

  it('a limited process gets nothing of our environment', async () => {
    process.env.SECRET_OF_OURS = 'hemmelig'
    const said = String(await runLimited(['env'], from(''), limits))
    delete process.env.SECRET_OF_OURS
    expect(said).toContain('PATH=')
    expect(said).not.toContain('hemmelig')
  })

  it.each([
    { what: 'reads a file of the server', does: `require('fs').readFileSync('/etc/passwd')` },
    { what: 'writes a file', does: `require('fs').writeFileSync('/tmp/ringbind-confined', '')` },
    { what: 'starts a program', does: `require('child_process').execSync('true')` },
    {
      what: 'asks the network',
      does: `require('net').connect(9, '127.0.0.1').on('error', (error) => { throw error })`,
    },
  ])('a limited process that $what is refused', async ({ does }) => {
    const run = (script: string) =>
      runLimited([...confinedNode(64), '-e', script], from(''), { ...limits, megabytes: 1024 })
    expect(String(await run('console.log(1)'))).toBe('1\n')
    await expect(run(does)).rejects.toMatchObject({ said: expect.stringContaining('ERR_ACCESS_DENIED') })
  })

  it.each([
    { what: 'answers too much', program: 'head -c 2000 /dev/zero' },
    { what: 'fails', program: 'exit 3' },
    { what: 'takes too much memory', program: 'exec dd if=/dev/zero of=/dev/null bs=200M count=1' },
    { what: 'writes a file', program: `echo x > /tmp/ringbind-limited-${process.pid}` },
  ])('a limited process that $what is ended', async ({ program }) => {
    await expect(runLimited(['sh', '-c', `set -e; ${program}`], from(''), limits)).rejects.toBeInstanceOf(
      ProgramFailed,
    )
  })

  it('a limited process that cannot write a file goes on, as one whose font cache is old', async () => {
    const program = `echo x > /tmp/ringbind-limited-${process.pid}; echo done`
    expect(String(await runLimited(['sh', '-c', program], from(''), limits))).toBe('done\n')
  })

  it('a limited process that takes too long is ended', async () => {
    const endless = runLimited(['sleep', '3600'], from(''), { ...limits, seconds: 1 })
    await expect(endless).rejects.toBeInstanceOf(ProgramFailed)
  })

  it('a limited process may answer before it has read everything', async () => {
    const said = await runLimited(['head', '-c', '3'], from('abcdef', Buffer.alloc(5_000_000)), limits)
    expect(String(said)).toBe('abc')
  })

  it('a limited process is not blamed for an input that breaks off', async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('abc')
        throw new Error('the store is away')
      })(),
    )
    await expect(runLimited(['cat'], broken, limits)).rejects.toBeInstanceOf(InputFailed)
  })

  it('limited processes end when the server stops', async () => {
    const stop = new AbortController()
    const endless = runLimited(['sleep', '3600'], from(''), { ...limits, signal: stop.signal })
    stop.abort()
    await expect(endless).rejects.toThrow('aborted')
  })
})
