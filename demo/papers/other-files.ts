import { formatMoney } from '../../src/base/money.ts'
import { between, chance } from './venture/chance.ts'
import { at, MONTHS } from './writing/dates.ts'
import { png, type Colour } from './writing/png.ts'

/** Returns the files that are not PDFs, in the folder of sundries. */
export function otherFiles(number: string): { name: string; date: Date; bytes: Buffer }[] {
  if (number !== '1024') return []
  return [
    { name: 'Diverse (1024) Facade mod havnen 2022.png', date: at(2022, 6, 14), bytes: picture() },
    { name: 'Diverse (1024) Adgang og nøgler 2025.txt', date: at(2025, 2, 11), bytes: Buffer.from(KEYS) },
    { name: 'Diverse (1024) Forbrugsaflæsning 2024.csv', date: at(2025, 1, 14), bytes: readings() },
  ]
}

const KEYS = `Adgang og nøgler, Nordhavn Kontorhus

Hovedindgangen låses kl. 18.00. Brik udleveres af administrationen.
Teknikrum: nøgle nr. 4 (hænger i boksen ved vareindgangen).
Elevator: serviceaftale, tilkald på det nummer, der står i stolen.
Blå brikker er lejernes, røde er håndværkernes. Husk at få dem igen!
`

function readings(): Buffer {
  const lines = MONTHS.map((name, index) => {
    const month = index + 1
    const cold = Math.abs(month - 7) * 6.4
    const heat = formatMoney(8 + cold + chance(`heat ${month}`) * 4, { decimals: 1, grouping: false })
    return [name, heat, between(110, 150, `water ${month}`), between(9000, 14_000, `power ${month}`)].join(
      ';',
    )
  })
  return Buffer.from(['Måned;Varme (MWh);Vand (m³);El (kWh)', ...lines, ''].join('\r\n'))
}

/** Draws the house by the water, under a clear sky. */
function picture(): Buffer {
  return png(320, 200, (x, y): Colour => {
    if (y >= 160) return (y + Math.floor(x / 9)) % 7 === 0 ? [96, 142, 170] : [62, 110, 142]
    if (y >= 152) return [120, 116, 110]
    const isHouse = x >= 70 && x < 250 && y >= 32
    if (!isHouse) return [206 - Math.floor(y / 4), 224 - Math.floor(y / 8), 238]
    const isDoor = x >= 150 && x < 170 && y >= 132
    if (isDoor) return [58, 44, 38]
    const isWindow = (x - 70) % 20 >= 5 && (x - 70) % 20 < 15 && (y - 32) % 20 >= 6 && (y - 32) % 20 < 16
    return isWindow ? [232, 220, 160] : [152, 74, 58]
  })
}
