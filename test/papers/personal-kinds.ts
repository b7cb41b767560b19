import type { Kind } from './kinds.ts'
import { ending, letterHead } from './kinds.ts'
import { addressOf, amount, dayText, identityOf, nameOf, prose, type Writing } from './writing.ts'

/** Lines that say whom a paper is for. Each says enough, unless two have the same name. */
function addressee(writing: Writing): string[] {
  const { person, of, isEnglish } = writing
  const number = person.numbers[0]!
  const numbered = isEnglish
    ? of([`Investor no. ${number}`, `Investor no.: ${number}`])
    : of([
        `Investornr. ${number}`,
        `Investor nr.: ${number}`,
        `Investornummer ${number}`,
        `Kommanditist nr. ${number}`,
        `Deltagernr. ${number}`,
      ])
  const name = of([person.name, person.name, person.name.toUpperCase(), `Att. ${person.name}`])
  return of([
    [name, ...addressOf(writing), numbered],
    [numbered, name, ...addressOf(writing)],
    [name, ...addressOf(writing)],
    [`${person.name} (${numbered})`],
    [`${isEnglish ? 'To' : 'Til'} ${person.name}`, ...addressOf(writing), numbered],
  ])
}

function head(writing: Writing): void {
  const { sheet, chance } = writing
  letterHead(writing)
  if (chance.number(2) === 0) {
    sheet.lines(addressee(writing))
    sheet.lines(identityOf(writing))
  } else {
    sheet.lines(identityOf(writing))
    sheet.lines(addressee(writing))
  }
}

const greet = ({ of, person, isEnglish }: Writing) =>
  isEnglish
    ? of(['Dear investor', `Dear ${person.name}`])
    : of(['Kære investor', `Kære ${person.name}`, `Kære ${person.name.split(' ')[0]}`])

/** Papers that each investor gets, by name. */
export const PERSONAL_KINDS: Kind[] = [
  {
    name: 'capital account',
    folder: null,
    about: 'past',
    hasEnglish: true,
    share: 6,
    write(w) {
      const { sheet, year, of, isEnglish } = w
      head(w)
      sheet.title(
        isEnglish
          ? of([`Capital account ${year}`, `Statement of capital account ${year}`])
          : of([
              `Kapitalkonto ${year}`,
              `Kapitalkonto pr. 31. december ${year}`,
              `Opgørelse af kapitalkonto ${year}`,
              `Din kapitalkonto ${year}`,
            ]),
        1.6,
      )
      sheet.table([
        ['', isEnglish ? 'DKK' : 'kr.'],
        ...(isEnglish
          ? ['Opening balance', 'Share of profit', 'Distributed', 'Closing balance']
          : [
              `Saldo 1. januar ${year}`,
              'Andel af årets resultat',
              'Udloddet',
              `Saldo 31. december ${year}`,
              'Resthæftelse',
            ]
        ).map((row) => [row, amount(w, 3_000_000)]),
      ])
      sheet.para(prose(w, 2))
      ending(w)
    },
  },
  {
    name: 'annual statement',
    folder: null,
    about: 'past',
    hasEnglish: true,
    share: 6,
    write(w) {
      const { sheet, year, of, isEnglish } = w
      head(w)
      sheet.title(
        isEnglish
          ? of([`Annual statement ${year}`, `Investor statement ${year}`])
          : of([
              `Årsopgørelse ${year}`,
              `Årsopgørelse for ${year}`,
              `Investoropgørelse ${year}`,
              `Årsoversigt ${year} for din investering`,
            ]),
        1.6,
      )
      sheet.para(greet(w))
      sheet.table([
        ['', String(year), String(year - 1)],
        ...(isEnglish
          ? ['Shares', 'Result', 'Equity']
          : ['Antal anparter', 'Andel af resultat', 'Andel af egenkapital', 'Restindskud']
        ).map((row) => [row, amount(w, 900_000), amount(w, 900_000)]),
      ])
      sheet.para(prose(w, 2))
      ending(w)
    },
  },
  {
    name: 'distribution',
    folder: null,
    about: 'day',
    hasEnglish: true,
    share: 5,
    write(w) {
      const { sheet, of, isEnglish, date } = w
      head(w)
      sheet.para(dayText(w, date))
      sheet.title(
        isEnglish
          ? of(['Notice of distribution', 'Distribution'])
          : of(['Udlodning', 'Meddelelse om udlodning', 'Udlodningsmeddelelse', 'Udbetaling af udlodning']),
        1.5,
      )
      sheet.para(greet(w))
      sheet.para(
        isEnglish
          ? `We will transfer DKK ${amount(w, 400_000)} to your account.`
          : `Bestyrelsen har besluttet at udlodde. Din andel på kr. ${amount(w, 400_000)} overføres til din konto ${dayText(w, { ...date, day: 28 })}.`,
      )
      sheet.para(prose(w, 2))
      ending(w)
    },
  },
  {
    name: 'personal tax',
    folder: null,
    about: 'past',
    hasEnglish: false,
    share: 5,
    write(w) {
      const { sheet, year, of } = w
      head(w)
      sheet.title(
        of([
          `Skatteoplysninger ${year}`,
          `Dine skatteoplysninger for ${year}`,
          `Skattemæssig opgørelse ${year}`,
          `Skattebilag ${year}`,
        ]),
        1.5,
      )
      sheet.para(greet(w))
      sheet.para(`Her er tallene til din årsopgørelse fra Skattestyrelsen for ${year}.`)
      sheet.table([
        ['Rubrik', 'kr.'],
        ...['Overskud af virksomhed', 'Renteudgifter', 'Afskrivninger', 'Kapitalafkastgrundlag'].map(
          (row) => [row, amount(w, 400_000)],
        ),
      ])
      ending(w)
    },
  },
  {
    name: 'call for payment',
    folder: null,
    about: 'day',
    hasEnglish: false,
    share: 3,
    write(w) {
      const { sheet, of, date } = w
      head(w)
      sheet.para(dayText(w, date))
      sheet.title(of(['Indkaldelse af restindskud', 'Indbetalingsanmodning', 'Opkrævning af indskud']), 1.5)
      sheet.para(greet(w))
      sheet.para(
        `Vi beder dig indbetale kr. ${amount(w, 400_000)} senest ${dayText(w, { ...date, day: 28 })}. ${prose(w, 1)}`,
      )
      ending(w)
    },
  },
  {
    name: 'letter to a person',
    folder: null,
    about: 'day',
    hasEnglish: false,
    share: 3,
    write(w) {
      const { sheet, of, date, project } = w
      sheet.lines(addressee(w))
      sheet.aside([dayText(w, date)])
      sheet.gap(2)
      sheet.para(
        of([
          `Vedr. din investering i ${nameOf(w, project)}`,
          `Overdragelse af anparter i ${nameOf(w, project)}`,
          `Din henvendelse om ${nameOf(w, project)}`,
        ]),
        true,
      )
      sheet.para(greet(w))
      sheet.para(`Tak for dit brev. ${prose(w, 4)}`)
      ending(w)
    },
  },
]
