import {
  PDFArray,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFContext,
  type PDFObject,
  type PDFPageLeaf,
  type PDFRef,
} from '@cantoo/pdf-lib'

const name = (text: string) => PDFName.of(text)

/** Visible kinds of annotations. Others play, open or attach something. */
const SEEN = new Set(
  'Link Text FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Stamp Caret Ink Widget'
    .split(' ')
    .map((kind) => name(kind)),
)
/** How an annotation looks; nothing of this leads to another page. */
const KEPT =
  'Subtype Rect AS F C IC CA ca Border BS BE Contents QuadPoints InkList L LE Vertices Name DA DS RD Q LL LLE Cap CO'.split(
    ' ',
  )

const PRINTED = 4

/**
 * Copies the annotations of a page by how they look. A field of a form, such as a signature, becomes a stamp: the part has
 * no form, and the signature is not true of it. A link is kept if it leads out of the PDF.
 */
export function copyAnnotations(
  from: PDFContext,
  page: PDFPageLeaf,
  to: PDFContext,
  copy: (object: PDFObject) => PDFObject,
): PDFRef[] {
  const all = from.lookup(page.get(name('Annots')))
  if (!(all instanceof PDFArray)) return []
  return all.asArray().flatMap((each) => {
    const annotation = from.lookup(each)
    if (!(annotation instanceof PDFDict)) return []
    const kind = annotation.lookup(name('Subtype'))
    if (!(kind instanceof PDFName) || !SEEN.has(kind)) return []
    const made = to.obj({ Type: 'Annot' })
    for (const key of KEPT) {
      const value = annotation.get(name(key))
      if (value) made.set(name(key), copy(value))
    }
    const looks = annotation.lookup(name('AP'))
    const normal = looks instanceof PDFDict ? looks.get(name('N')) : undefined
    if (normal) made.set(name('AP'), to.obj({ N: copy(normal) }))
    if (kind === name('Link')) {
      const address = addressOf(annotation)
      if (!address) return []
      made.set(name('A'), to.obj({ S: 'URI', URI: address }))
    }
    if (kind === name('Widget')) {
      if (!normal) return []
      made.set(name('Subtype'), name('Stamp'))
      if (!made.has(name('F'))) made.set(name('F'), PDFNumber.of(PRINTED))
    }
    return to.register(made)
  })
}

function addressOf(annotation: PDFDict): PDFObject | undefined {
  const action = annotation.lookup(name('A'))
  if (!(action instanceof PDFDict) || action.lookup(name('S')) !== name('URI')) return undefined
  const address = action.lookup(name('URI'))
  return address instanceof PDFDict || address instanceof PDFArray ? undefined : address
}
