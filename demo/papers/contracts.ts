import { formatMoney } from '../../src/base/money.ts'
import { addenda } from './addenda.ts'
import { between } from './venture/chance.ts'
import { at, danish, yearsDown } from './writing/dates.ts'
import type { Draft } from './writing/draft.ts'
import { activeIn, rentOf, type Lease } from './venture/leases.ts'
import type { Venture } from './venture/venture.ts'
import { exact, head, kroner, row, total } from './writing/written-amounts.ts'
import { RISE } from './venture/yearly-rates.ts'

export function contracts(venture: Venture): Draft[] {
  const { leases, sold, kind } = venture
  const agreements = leases.map((lease) => agreement(venture, lease))
  const ended = leases.filter(({ to }) => to).map((lease) => ending(venture, lease))
  const notices = yearsDown(sold ?? 2025, 2013).flatMap((year) =>
    activeIn(leases, year)
      .filter(({ from }) => kind.contract.indexed && year > from)
      .map((lease) => regulation(venture, lease, year)),
  )
  return [...agreements, ...ended, ...addenda(venture), ...notices]
}

function agreement(venture: Venture, lease: Lease): Draft {
  const { kind, name, number } = venture
  const { contract } = kind
  const rent = rentOf(venture, lease, lease.from)
  const date = at(lease.from - 1, 9, between(1, 80, `agreement ${number} ${lease.short}`))
  const size = `${kroner(lease.size)} ${contract.unit}`
  return {
    rest: `${lease.short}, ${lease.what.replaceAll('/', '-')} - ${contract.name} ${lease.from - 1}`,
    date,
    title: `${capital(contract.name)}: ${lease.short}`,
    lines: () => [
      `Mellem ${name} (${contract.we}) og ${lease.full} (${contract.they}) er i dag indgået følgende aftale.`,
      { heading: '§ 1. Det aftalte' },
      contract.unit === 'dage'
        ? `Aftalen omfatter ${lease.what}.`
        : `Aftalen omfatter ${lease.what}, i alt ${size}.`,
      { heading: '§ 2. Begyndelse og ophør' },
      lease.to && !contract.indexed
        ? `Aftalen løber fra den 1. januar ${lease.from} til den 31. december ${lease.to}.`
        : `Aftalen træder i kraft den 1. januar ${lease.from} og kan opsiges med 12 måneders varsel.`,
      { heading: '§ 3. Betaling' },
      head('Grundlag', 'Beløb i kr.'),
      row(contract.unit === 'dage' ? 'Pr. dag' : `Pr. ${contract.unit}`, venture.rate),
      { row: ['Antal', size] },
      total(contract.rent, rent),
      { row: ['Betales kvartalsvis forud med', exact(rent / 4)] },
      '',
      contract.indexed
        ? 'Beløbet reguleres hver 1. januar med udviklingen i nettoprisindekset, dog højst 4 pct. om året.'
        : 'Hyren er fast i hele perioden.',
      { heading: '§ 4. Tvister' },
      'Aftalen er undergivet dansk ret. Tvister afgøres ved de danske domstole.',
      danish(date),
      { signatures: [`For ${contract.we}`, `For ${contract.they}`] },
    ],
  }
}

function ending({ kind, name, number }: Venture, lease: Lease): Draft {
  const { contract } = kind
  const date = at(lease.to!, 3, between(1, 28, `ending ${number} ${lease.short}`))
  return {
    rest: `${lease.short} - ophør ${lease.to}`,
    date,
    title: `Ophør af ${contract.name}: ${lease.short}`,
    lines: () => [
      danish(date),
      `${name} bekræfter hermed, at ${contract.name} med ${lease.full} vedrørende ${lease.what} ophører den ` +
        `31. december ${lease.to}.`,
      'Endelig opgørelse fremsendes senest fire uger efter ophøret.',
      '',
      'Med venlig hilsen',
      'Administrationen',
    ],
  }
}

function regulation(venture: Venture, lease: Lease, year: number): Draft {
  const { kind, number } = venture
  const [before, now] = [year - 1, year].map((of) => rentOf(venture, lease, of))
  const rise = formatMoney(RISE[year]! / 10, { decimals: 1 })
  const date = at(year - 1, 11, between(15, 30, `index ${number} ${year}`))
  return {
    rest: `${lease.short} - indeksregulering ${year}`,
    date,
    title: `Indeksregulering pr. 1. januar ${year}`,
    lines: () => [
      danish(date),
      `Vedrørende ${lease.full}, ${lease.what}`,
      `I henhold til § 3 i vores ${kind.contract.name} reguleres beløbet pr. 1. januar ${year} med ${rise} pct.`,
      { heading: 'Beregning' },
      head('Beløb i kr.', 'Pr. år'),
      row(`Hidtil (${year - 1})`, before!),
      row(`Regulering, ${rise} pct.`, now! - before!),
      total(`Fra 1. januar ${year}`, now!),
      { row: ['Heraf betales pr. kvartal', exact(now! / 4)] },
      '',
      'Med venlig hilsen',
      'Administrationen',
    ],
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
