import { inflateSync } from 'node:zlib'
import {
  decodePDFRawStream,
  PDFArray,
  PDFContext,
  PDFDict,
  PDFName,
  PDFNull,
  PDFNumber,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFWriter,
  type PDFDocument,
  type PDFObject,
  type PDFPageLeaf,
} from '@cantoo/pdf-lib'
import { copyAnnotations } from './copy-annotations.server.ts'

// pdf-lib can copy pages itself, but takes along everything that a page leads to: other people's pages through a link, and
// their pictures through resources that pages share. A part must hold nothing but its own pages.

const name = (text: string) => PDFName.of(text)

/** A page keeps these and no more. */
const OF_A_PAGE = ['BleedBox', 'TrimBox', 'ArtBox', 'Group', 'UserUnit', 'Tabs']
const INHERITED = ['MediaBox', 'CropBox', 'Rotate']
/** Things that lead away from the page. */
const LEAVES = new Set(
  [
    'Page',
    'Pages',
    'Catalog',
    'StructTreeRoot',
    'StructElem',
    'Outlines',
    'Sig',
    'DocTimeStamp',
    'Filespec',
    'F',
  ]
    .concat(['EmbeddedFile', 'Bead', 'Thread', 'Template', 'Action'])
    .map((type) => name(type)),
)
/** Notes of programs, and numbers of a structure that is not taken along. */
const DROPPED = new Set(
  [
    'Parent',
    'StructParent',
    'StructParents',
    'PieceInfo',
    'Metadata',
    'AF',
    'OPI',
    'Ref',
    'LastModified',
  ].map((key) => name(key)),
)

/** Returns a PDF of some pages; the first is 1. The same pages give the same bytes. */
export async function copyPages(source: PDFDocument, pages: readonly number[]): Promise<Uint8Array> {
  const context = PDFContext.create()
  const copier = new PageCopier(source.context, context)
  const parent = context.nextRef()
  const kids = pages.map((page) => copier.copyPage(source.getPage(page - 1).node, parent))
  context.assign(parent, context.obj({ Type: 'Pages', Kids: kids, Count: kids.length }))
  const layers = copier.copyLayers(source.catalog.lookup(name('OCProperties')))
  context.trailerInfo.Root = context.register(
    context.obj({ Type: 'Catalog', Pages: parent, ...(layers && { OCProperties: layers }) }),
  )
  checkPages(context, kids.length)
  return PDFWriter.forContext(context, Infinity).serializeToBuffer()
}

/** Throws if a page came along in an unforeseen way: it would be somebody else's. */
function checkPages(context: PDFContext, expected: number): void {
  const found = context
    .enumerateIndirectObjects()
    .filter(([, each]) => each instanceof PDFDict && each.get(name('Type')) === name('Page')).length
  if (found !== expected) throw new Error(`A part of ${expected} pages holds ${found}.`)
}

/** Copies what a page shows from one PDF to another. */
class PageCopier {
  readonly #from: PDFContext
  readonly #to: PDFContext
  readonly #copied = new Map<PDFRef, PDFRef>()

  constructor(from: PDFContext, to: PDFContext) {
    this.#from = from
    this.#to = to
  }

  copyPage(page: PDFPageLeaf, parent: PDFRef): PDFRef {
    const copy = this.#to.obj({ Type: 'Page', Parent: parent })
    for (const key of INHERITED) this.#set(copy, key, page.getInheritableAttribute(name(key)))
    for (const key of OF_A_PAGE) this.#set(copy, key, page.get(name(key)))
    const contents = contentsOf(this.#from, page.get(name('Contents')))
    this.#set(copy, 'Contents', page.get(name('Contents')))
    const resources = this.#from.lookup(page.getInheritableAttribute(name('Resources')))
    copy.set(name('Resources'), this.#copyUsed(resources, contents))
    const annotations = copyAnnotations(this.#from, page, this.#to, (object) => this.copy(object))
    if (annotations.length > 0) copy.set(name('Annots'), this.#to.obj(annotations))
    return this.#to.register(copy)
  }

  /** Copies what says which layers are shown, for the layers that came along. */
  copyLayers(properties: PDFObject | undefined): PDFDict | null {
    if (!(properties instanceof PDFDict)) return null
    const cameAlong = (list: PDFObject | undefined) =>
      refsIn(this.#from.lookup(list)).flatMap((ref) => this.#copied.get(ref) ?? [])
    const layers = cameAlong(properties.get(name('OCGs')))
    if (layers.length === 0) return null
    const shown = this.#from.lookup(properties.get(name('D')))
    const settings = shown instanceof PDFDict ? shown : PDFDict.withContext(this.#from)
    const base = this.#from.lookup(settings.get(name('BaseState')))
    return this.#to.obj({
      OCGs: layers,
      D: {
        ...(base instanceof PDFName && { BaseState: base }),
        ON: cameAlong(settings.get(name('ON'))),
        OFF: cameAlong(settings.get(name('OFF'))),
      },
    })
  }

  copy(object: PDFObject): PDFObject {
    if (object instanceof PDFRef) return this.#copyRef(object)
    if (object instanceof PDFStream) return this.#copyStream(object)
    if (object instanceof PDFDict) return leadsAway(object) ? PDFNull : this.#copyDict(object)
    if (object instanceof PDFArray) {
      const copy = PDFArray.withContext(this.#to)
      for (const each of object.asArray()) copy.push(this.copy(each))
      return copy
    }
    return object // numbers, names and texts never change
  }

  #copyRef(ref: PDFRef): PDFObject {
    const before = this.#copied.get(ref)
    if (before) return before
    const object = this.#from.lookup(ref)
    if (!object || object === PDFNull || (object instanceof PDFDict && leadsAway(object))) return PDFNull
    const copy = this.#to.nextRef()
    this.#copied.set(ref, copy) // before it is followed: it may lead back to itself
    this.#to.assign(copy, this.copy(object))
    return copy
  }

  #copyDict(dict: PDFDict): PDFDict {
    const copy = PDFDict.withContext(this.#to)
    for (const [key, value] of dict.entries()) {
      if (DROPPED.has(key)) continue
      // A font whose letters are drawn may share its resources with every page.
      const isDrawnWith = key === name('Resources')
      copy.set(
        key,
        isDrawnWith ? this.#copyUsed(this.#from.lookup(value), this.#lettersOf(dict)) : this.copy(value),
      )
    }
    return copy
  }

  #copyStream(stream: PDFStream): PDFStream {
    if (!(stream instanceof PDFRawStream)) throw new Error('A stream of another kind.')
    const resources = this.#from.lookup(stream.dict.get(name('Resources')))
    const dict = this.#copyDict(without(stream.dict, 'Resources'))
    // A form or a pattern, which has its own resources.
    if (resources instanceof PDFDict) dict.set(name('Resources'), this.#copyUsed(resources, [stream]))
    return PDFRawStream.of(dict, stream.contents)
  }

  /** Copies only resources that the contents name: others may be somebody else's pictures. */
  #copyUsed(resources: PDFObject | undefined, contents: readonly PDFStream[]): PDFDict {
    const copy = PDFDict.withContext(this.#to)
    if (!(resources instanceof PDFDict)) return copy
    const used = this.#namesUsed(resources, contents)
    for (const [kind, value] of resources.entries()) {
      const all = this.#from.lookup(value)
      if (!(all instanceof PDFDict)) continue // a list of procedures, which nobody needs
      const some = PDFDict.withContext(this.#to)
      for (const [key, each] of all.entries()) if (used.has(key)) some.set(key, this.copy(each))
      copy.set(kind, some)
    }
    return copy
  }

  /** Forms and glyphs without their own resources use those of the page. */
  #namesUsed(resources: PDFDict, contents: readonly PDFStream[]): Set<PDFName> {
    const used = new Set<PDFName>()
    const seen = new Set<PDFStream>(contents)
    const waiting = [...contents]
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      for (const each of namesIn(next)) used.add(each)
      for (const stream of this.#borrowers(resources, used))
        if (!seen.has(stream)) {
          seen.add(stream)
          waiting.push(stream)
        }
    }
    return used
  }

  #borrowers(resources: PDFDict, used: ReadonlySet<PDFName>): PDFStream[] {
    const usedIn = (kind: string) => {
      const all = this.#from.lookup(resources.get(name(kind)))
      if (!(all instanceof PDFDict)) return []
      return all.entries().flatMap(([key, value]) => (used.has(key) ? (this.#from.lookup(value) ?? []) : []))
    }
    const forms = usedIn('XObject').filter(
      (each) =>
        each instanceof PDFStream &&
        each.dict.lookup(name('Subtype')) === name('Form') &&
        !each.dict.has(name('Resources')),
    ) as PDFStream[]
    const letters = usedIn('Font').flatMap((font) =>
      font instanceof PDFDict && !font.has(name('Resources')) ? this.#lettersOf(font) : [],
    )
    return [...forms, ...letters]
  }

  /** The letters of a font that draws them itself. */
  #lettersOf(font: PDFDict): PDFStream[] {
    const drawn = this.#from.lookup(font.get(name('CharProcs')))
    if (!(drawn instanceof PDFDict)) return []
    return drawn.values().flatMap((each) => {
      const letter = this.#from.lookup(each)
      return letter instanceof PDFStream ? letter : []
    })
  }

  #set(copy: PDFDict, key: string, value: PDFObject | undefined): void {
    if (value) copy.set(name(key), this.copy(value))
  }
}

const leadsAway = (dict: PDFDict) => {
  const type = dict.lookup(name('Type'))
  return type instanceof PDFName && LEAVES.has(type)
}

const refsIn = (list: PDFObject | undefined) =>
  list instanceof PDFArray ? list.asArray().filter((each) => each instanceof PDFRef) : []

function without(dict: PDFDict, key: string): PDFDict {
  const copy = PDFDict.withContext(dict.context)
  for (const [each, value] of dict.entries()) if (each !== name(key)) copy.set(each, value)
  return copy
}

function contentsOf(context: PDFContext, contents: PDFObject | undefined): PDFStream[] {
  const all = context.lookup(contents)
  const streams = all instanceof PDFArray ? all.asArray().map((each) => context.lookup(each)) : [all]
  return streams.filter((each) => each instanceof PDFStream)
}

/** More than any page has. Whatever unpacks to more wants to do harm. */
const MOST_CONTENT_BYTES = 64 * 1024 * 1024
const NAME = /\/([^\s\0()<>[\]{}/%]*)/g

/** Finds every word in a stream that may name a resource. Some of them are only letters in a text. */
function namesIn(stream: PDFStream): Set<PDFName> {
  const text = unpack(stream).toString('latin1')
  return new Set([...text.matchAll(NAME)].map(([, each]) => name(each!)))
}

function unpack(stream: PDFStream): Buffer {
  if (!(stream instanceof PDFRawStream)) throw new Error('A stream of another kind.')
  const filter = stream.dict.lookup(name('Filter'))
  const isPlain = !stream.dict.has(name('DecodeParms'))
  if (isPlain && filter === name('FlateDecode')) {
    try {
      return inflateSync(stream.contents, { maxOutputLength: MOST_CONTENT_BYTES })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw error
      // Damaged at its end, as some are: pdf-lib reads as far as it can.
    }
  }
  const params = stream.dict.lookup(name('DecodeParms'))
  const predictor = params instanceof PDFDict ? params.lookup(name('Predictor')) : undefined
  // pdf-lib does not undo predictors, so that names would be missed.
  if (predictor instanceof PDFNumber && predictor.asNumber() > 1)
    throw new Error('Contents with a predictor.')
  return Buffer.from(decodePDFRawStream(stream).decode())
}
