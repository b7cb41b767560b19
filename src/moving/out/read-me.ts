import { shortDateTime } from '../../base/time/dates.ts'

/** Writes a text with the line ends that every system shows. */
const lines = (text: string) => `\ufeff${text.trim().replaceAll(/\r?\n/g, '\r\n')}\r\n`

/** Explains the export to anybody who opens it, perhaps in ten years. */
export function readMe(at: string, timeZone: string): string {
  return lines(`
LÆS MIG: alt, hvad dette kontor havde i Ringbind den ${shortDateTime(at, timeZone)}

Her er alle dokumenter som almindelige filer og alle oplysninger som tabeller. Alt viser kontoret, som
det var i ét og samme øjeblik. Ringbind er ikke nødvendig for at læse det.

BEMÆRK: Her ligger kontorets og investorernes papirer. Opbevar mappen lige så sikkert som Ringbind selv.

Er eksporten hel?
  FÆRDIG.txt         Eksporten er skrevet til ende.
  IKKE FÆRDIG.txt    Den blev afbrudt. Kør den samme kommando igen, så fortsætter den.
  fejl.csv           Findes kun, hvis der er filer, som manglede eller var beskadiget. De står her.
  sha256.txt         Kontrolsummer. I Linux: sha256sum -c sha256.txt (på en Mac: shasum -a 256 -c sha256.txt)

Dokumenterne
  Projekter/         En mappe for hvert projekt og i den projektets mapper med de filer, der er udgivet.
  Personer/          Investorernes egne filer.
  Kladder/           Filer, som kun kontoret kunne se: kladder, planlagte og tilbagetrukne.
  Papirkurv/         Slettede filer, som endnu kunne gendannes.
  Indbakke/          Hvad der var indleveret fra scanner eller postkasse og endnu ikke sorteret; se indleveringer.csv.
  Versioner/         Andre versioner af filerne end den, der vises.
  Profilbilleder/    Personernes billeder. Kontorets logo ligger ved siden af.

  Filernes dato er den, Ringbind viste. Tegn, som ikke alle computere tager i et navn ( / \\ : * ? " < > | ),
  er blevet til _ , og ens navne i samme mappe har fået et tal: Budget (2).pdf. De rigtige navne og filernes
  rækkefølge står i Tabeller/filer.csv.

Tabellerne (i mappen Tabeller; semikolon mellem felterne, UTF-8, kan åbnes i Excel)
  projekter, regnskabsår, mapper, filer, personer, medlemmer
  givet-adgang       Hvem der har givet en rådgiver adgang, til hvad og til hvornår.
  hvem-ser-hvad      Hver person og hver mappe, som personen kunne se.
  læst               Hvem der har åbnet eller hentet hvilke filer.
  log                Hvad der er sket. Ældst sidst.
  rapporter          Investorernes eksterne selskaber.
  gemte-uploads, udsendelser, udsendelser-mails, udsendelser-slettede-filer, indbakke, indleveringer
  papirer            Hvilke papirer der forventes for hvilke perioder, og hvad der er undtaget.
  pligter, pligter-projekter, frister, kvitteringer, layouts-af-kvitteringer
  kontoret, krav-til-login, søgeord, gemte-søgninger

  Et felt, der begynder med = + - eller @, har fået et ' foran, så et regneark ikke tager det for en formel.
  Tidspunkter er kontorets egen tid med afstanden til UTC: 2026-11-17T17:20:05+01:00.
  Id'er er de samme i alle tabeller, så tabellerne kan sættes sammen.

Det er ikke med
  Adgangskoder, koder til totrinslogin, tilknyttede login, åbne sessioner og andre hemmeligheder.
  Uploads, der ikke var gemt endnu.
  Det, som Ringbind selv laver af resten: søgeord, små billeder og læst tekst.

En kopi, som Ringbind kan gendannes fra, er noget andet: den tages med npm run backup.
`)
}

/** Says that the export was written to its end. */
export function finishedText(
  { at, files, bytes, faults }: { at: string; files: number; bytes: number; faults: number },
  timeZone: string,
): string {
  const wrong =
    faults === 0
      ? 'Alle filer er skrevet og stemmer med deres kontrolsum.'
      : `${faults} ${faults === 1 ? 'fil' : 'filer'} manglede eller var beskadiget: se fejl.csv.`
  return lines(`
Eksporten er skrevet til ende.

Den viser kontoret, som det var den ${shortDateTime(at, timeZone)}.
${files} filer, ${bytes} bytes. ${wrong}
`)
}
