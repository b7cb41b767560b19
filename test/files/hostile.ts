// Files as somebody might upload them who means us harm, and some as everybody does.

/** Only the test listens there: a request means that something was run. */
export const CANARY_PORT = Number(process.env.E2E_PORT ?? 3180) + 9

const CANARY = `http://127.0.0.1:${CANARY_PORT}`

/** Leaves its traces everywhere a script of our own origin could. */
export const script = (name: string) =>
  `document.title='hostile';document.cookie='hostile=${name};path=/';try{localStorage.hostile='${name}'}catch{}` +
  `;new Image().src='${CANARY}/image-${name}';fetch('${CANARY}/fetch-${name}',{mode:'no-cors'})` +
  `;fetch('/healthz?canary=${name}');alert('hostile')`

const page = (name: string) => `<!doctype html><title>Side</title><script>${script(name)}</script>`

export type TestFile = {
  name: string
  bytes: string
  /** Opening it shows it; otherwise it is saved. */
  isShown: boolean
  /** The type under which it would run; null: a browser never runs it. */
  liveAs: string | null
}

const saved = (name: string, bytes: string, liveAs: string | null): TestFile => ({
  name,
  bytes,
  isShown: false,
  liveAs,
})
const shown = (name: string, bytes: string, liveAs: string | null): TestFile => ({
  name,
  bytes,
  isShown: true,
  liveAs,
})

const SVG = (name: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>${script(name).replaceAll('&', '&amp;')}</script></svg>`

const XSLT = `<?xml version="1.0"?>
<?xml-stylesheet type="text/xsl" href="#style"?>
<!DOCTYPE doc [<!ATTLIST xsl:stylesheet id ID #REQUIRED>]>
<doc><xsl:stylesheet id="style" version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:template match="/"><html><script>${script('xslt')}</script></html></xsl:template></xsl:stylesheet>
<script xmlns="http://www.w3.org/1999/xhtml">${script('xml')}</script></doc>`

const MHTML = `From: <Saved by Blink>
Snapshot-Content-Location: http://127.0.0.1/
MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; boundary="x"

--x
Content-Type: text/html
Content-Location: http://127.0.0.1/

${page('mhtml')}
--x--
`

/** The text it shows when all its attempts are over: its script runs in the viewer, which has its own origin. */
export const SAID_BY_PDF = 'from inside the viewer'

const IN_PDF = [
  `this.submitForm({cURL: "${CANARY}/submit-pdf", cSubmitAs: "HTML"})`,
  `app.launchURL("${CANARY}/launch-pdf")`,
  `this.getURL("${CANARY}/get-pdf")`,
  `this.getURL(${JSON.stringify(`javascript:${script('pdf')}`)})`,
  `document.title = "hostile"`,
  `fetch("${CANARY}/fetch-pdf")`,
]
  .map((attempt) => `try { ${attempt} } catch (e) {}`)
  .concat(`app.alert("${SAID_BY_PDF}")`)
  .join(';')

const SCRIPTED_PDF = pdfOf(
  'Kontrakt',
  `/OpenAction<</S/JavaScript/JS(${IN_PDF.replaceAll(/[\\()]/g, (sign) => `\\${sign}`)})>>`,
)

export const HOSTILE: Record<string, TestFile> = {
  html: saved('Side.html', page('html'), 'text/html'),
  htmlAsPdf: saved('Årsrapport.pdf', page('html-as-pdf'), 'text/html'),
  htmlAsText: saved('Referat.txt', page('html-as-text'), 'text/html'),
  htmlBehindComments: saved('Notat.txt', `\ufeff\n<!-- x --> <!-- y -->\n${page('comments')}`, 'text/html'),
  htmlInText: shown('Brev.txt', `Kære investor ${page('in-text')}`, 'text/html'),
  textAsHtml: saved('Tekst.html', `Kære investor ${page('text-as-html')}`, 'text/html'),
  svg: saved('Tegning.svg', SVG('svg'), 'image/svg+xml'),
  svgAsText: saved('Tegning.txt', `<?xml version="1.0"?><!-- x -->${SVG('svg-as-text')}`, 'image/svg+xml'),
  xml: saved('Faktura.xml', XSLT, 'application/xml'),
  mhtml: saved('Gemt.mhtml', MHTML, null),
  mhtmlAsText: shown('Gemt.txt', MHTML, null),
  gifAndScript: shown('Billede.gif', `GIF89a/*\x01\x00\x01\x00*/=1;${script('gif')}`, 'text/javascript'),
  pdfAndHtml: shown('Kontrakt.pdf', `%PDF-1.4\n${page('pdf-and-html')}`, 'text/html'),
  script: saved('Regneark.js', script('script'), 'text/javascript'),
  scriptAsText: shown('Kode.txt', script('script-as-text'), 'text/javascript'),
  scriptedPdf: shown('Brev.pdf', SCRIPTED_PDF, null),
}

/** Files that must still be shown. A red square is in the picture and in the paper. */
export const HONEST = {
  pdf: shown('Tilbud.pdf', pdfOf('Kære investor', ''), null),
  text: shown('Referat æøå.txt', `Kære investor\n${'meget lang linje '.repeat(200)}`, null),
  png: shown('Rød.png', redPng(), null),
}

/** A page with a line of text and a large red square. Every character is its byte. */
function pdfOf(line: string, catalogue: string): string {
  const content = `1 0 0 rg 100 300 300 300 re f 0 g BT /F1 24 Tf 100 700 Td (${line}) Tj ET`
  const objects = [
    `<</Type/Catalog/Pages 2 0 R${catalogue}>>`,
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>',
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
  ]
  let file = '%PDF-1.4\n%âãÏÓ\n'
  const entries = objects.map((object, index) => {
    const entry = `${String(file.length).padStart(10, '0')} 00000 n \n`
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return entry
  })
  const table = `xref\n0 6\n0000000000 65535 f \n${entries.join('')}trailer\n<</Size 6/Root 1 0 R>>\n`
  return `${file}${table}startxref\n${file.length}\n%%EOF\n`
}

/** 8 × 8 pixels. */
function redPng(): string {
  const base64 =
    'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC'
  return atob(base64)
}

/** Returns the stored bytes: PDF and pictures byte by byte, everything else as UTF-8. */
export function bytesOf({ bytes }: TestFile): Buffer {
  return Buffer.from(bytes, /^(%PDF|GIF|\x89PNG)/.test(bytes) ? 'latin1' : 'utf8')
}
