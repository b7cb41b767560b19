import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'

/** Words of a made-up receipt, at their places from the upper left corner: a column, a line, what stands there. */
type Placed = readonly [x: number, line: number, text: string]

export type TestReceipt = { cvr: string; number: string; day: string; year?: number }

/** Made-up receipts in shapes that differ. Days are like '12.05.2026'. The year is that of the annual report in `lines`. */
export const RECEIPTS = {
  /** A label and its value in each line. */
  lines: ({ cvr, number, day, year = 2025 }: TestReceipt): Placed[] => [
    [60, 0, 'Erhvervsstyrelsen · Virk'],
    [60, 2, 'Kvittering for indberetning af årsrapport'],
    [60, 4, `Kvitteringsnr.: ${number}`],
    [60, 5, `CVR-nr.: ${cvr}`],
    [60, 6, 'Navn: K/S Nordhavn'],
    [60, 7, `Regnskabsperiode: 01.01.${year} - 31.12.${year}`],
    [60, 8, `Modtaget: ${day} kl. 14.05`],
    [60, 9, 'Indberetter: Holm Revision, CVR-nr. 24681408'],
    [60, 11, 'Erhvervsstyrelsen, CVR-nr. 10150817'],
  ],
  /** All labels in one column, all values in the next, far away. */
  columns: ({ cvr, number, day }: TestReceipt): Placed[] => [
    [60, 0, 'Skattestyrelsen'],
    [60, 2, 'Kvittering for momsangivelse'],
    ...['SE-nr.', 'Periode', 'Momstilsvar', 'Modtaget', 'Kvitteringsnummer'].map(
      (label, index) => [60, 5 + index * 2, label] as const,
    ),
    ...[cvr, '3. kvartal 2026', '12.345,00', day, number].map(
      (value, index) => [330, 5 + index * 2, value] as const,
    ),
  ],
  /** A table: a row of labels above a row of values. */
  table: ({ cvr, number, day }: TestReceipt): Placed[] => [
    [60, 0, 'TastSelv Erhverv · Skattestyrelsen'],
    [60, 2, 'Kvittering for indberetning af skatteoplysninger'],
    ...['CVR-nr.', 'Indkomstår', 'Indberettet', 'Transaktionsnr.'].map(
      (label, index) => [60 + index * 120, 5, label] as const,
    ),
    ...[cvr, '2025', day, number].map((value, index) => [60 + index * 120, 6, value] as const),
    [60, 9, 'Gem kvitteringen som dokumentation.'],
  ],
  /** A letter: the fields stand in sentences. */
  letter: ({ cvr, number, day }: TestReceipt): Placed[] => [
    [60, 0, 'Erhvervsstyrelsen'],
    [60, 2, 'Vi har modtaget selskabets årsrapport'],
    [60, 4, 'Kære indberetter'],
    [60, 5, `Årsrapporten for K/S Nordhavn, CVR-nr. ${cvr}, for regnskabsåret`],
    [60, 6, `1. januar 2025 til 31. december 2025 er modtaget den ${day}.`],
    [60, 7, `Sagsnummer ${number}.`],
    [60, 9, 'Med venlig hilsen'],
    [60, 10, 'Erhvervsstyrelsen'],
  ],
  english: ({ cvr, number, day }: TestReceipt): Placed[] => [
    [60, 0, 'Danish Tax Agency'],
    [60, 2, 'Receipt - CRS reporting'],
    [60, 4, `Reporting entity CVR: DK${cvr}`],
    [60, 5, 'Reporting period: 2026'],
    [60, 6, `Message received: ${day.split('.').toReversed().join('-')}`],
    [60, 7, `MessageRefId: ${number}`],
  ],
  /** A layout that Ringbind does not know. */
  unknown: ({ cvr, number, day }: TestReceipt): Placed[] => [
    [60, 0, 'Indberetningscentralen'],
    [60, 2, 'Oplysningerne er modtaget'],
    [60, 4, `Selskabets nummer: ${cvr}`],
    [60, 5, 'År, der er oplyst: 2025'],
    [60, 6, `Dagen for modtagelsen: ${day}`],
    [60, 7, `Vores løbenummer: ${number}`],
  ],
} satisfies Record<string, (receipt: TestReceipt) => Placed[]>

export type ReceiptShape = keyof typeof RECEIPTS

/** The text of a receipt, as a scan would be read: line by line. */
export function receiptText(shape: ReceiptShape, receipt: TestReceipt): string {
  const lines = Map.groupBy(RECEIPTS[shape](receipt), ([, line]) => line)
  return [...lines.values()].map((parts) => parts.map(([, , text]) => text).join('   ')).join('\n')
}

export async function receiptPdf(shape: ReceiptShape, receipt: TestReceipt): Promise<Buffer> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  const page = document.addPage([595, 842])
  for (const [x, line, text] of RECEIPTS[shape](receipt))
    page.drawText(text, { x, y: 760 - line * 16, size: 11, font })
  return Buffer.from(await document.save())
}
