import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { getDocumentProxy } from 'unpdf'
import { pdfOf, placeOnPage } from './picture-pdf.ts'
import { isPicture, pdfName, readableSize, unreadableText } from './picture.ts'

describe('a picture', () => {
  it.each([
    ['IMG_1.HEIC', '', true],
    ['scan.jpeg', '', true],
    ['uden endelse', 'image/png', true],
    ['Brev.pdf', 'application/pdf', false],
    ['jpg', '', false],
  ])('%s (%s) is a picture: %s', (name, type, is) => expect(isPicture({ name, type })).toBe(is))

  it.each([
    [4000, 3000, 2000, 1500],
    [3000, 4000, 1500, 2000],
    [800, 600, 800, 600],
    [100_000, 10, 2000, 1],
  ])('a picture of %d × %d is stored as %d × %d', (width, height, keptWidth, keptHeight) =>
    expect(readableSize(width, height)).toEqual({ width: keptWidth, height: keptHeight }),
  )

  it('a picture that cannot be read is reported by its name', () => {
    expect(unreadableText('IMG_1.HEIC')).toContain('Mest kompatibel')
    expect(unreadableText('Foto.jpg')).toBe('Foto.jpg kan ikke læses som et billede.')
  })
})

describe('the PDF of pictures', () => {
  const now = new Date(2026, 10, 8)
  it.each([
    ['', 'Billeder 2026-11-08.pdf'],
    [' .pdf ', 'Billeder 2026-11-08.pdf'],
    ['Mit pas', 'Mit pas.pdf'],
    ['Mit pas.PDF', 'Mit pas.pdf'],
  ])('the PDF called %j is %s', (typed, name) => expect(pdfName(typed, now)).toBe(name))

  it.each([
    [1000, 2000],
    [2000, 1000],
    [1000, 1000],
  ])('the PDF shows all of a picture of %d × %d in the middle of its page', (width, height) => {
    const place = placeOnPage(width, height)
    expect(place.width / place.height).toBeCloseTo(width / height, 2)
    expect(place.left * 2 + place.width).toBeCloseTo(place.pageWidth, 1)
    expect(place.bottom * 2 + place.height).toBeCloseTo(place.pageHeight, 1)
    expect(Math.min(place.left, place.bottom)).toBeCloseTo(18, 1)
    expect(place.pageWidth > place.pageHeight).toBe(width > height)
  })

  it('other programs read the PDF of pictures', async () => {
    const jpeg = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#f00' } })
      .jpeg()
      .toBuffer()
    const page = { jpeg: new Uint8Array(jpeg), width: 30, height: 20 }
    const pdf = await getDocumentProxy(pdfOf([page, page]))
    expect(pdf.numPages).toBe(2)
    const { view } = await pdf.getPage(2)
    expect(view.map(Math.round)).toEqual([0, 0, 842, 595])
  })
})
