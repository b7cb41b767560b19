import {
  addressOf,
  amount,
  cvrText,
  dayText,
  identityOf,
  lookAlike,
  nameOf,
  prose,
  strangerCompany,
  type Writing,
} from './writing.ts'

/** A kind of paper: where the office files it, and how it is written. */
export type Kind = {
  name: string
  /** The folder; or null for a person's own. */
  folder: string | null
  /** Whether it is about a period that has ended, a period to come, or the day it was written. */
  about: 'past' | 'coming' | 'day'
  hasEnglish: boolean
  /** How many of a hundred papers. */
  share: number
  /** The word for it in a cover letter. */
  cover?: (writing: Writing) => string
  write: (writing: Writing) => void
}

const quarterName = ({ quarter, isEnglish, of }: Writing) =>
  isEnglish
    ? of([`Q${quarter}`, `${['first', 'second', 'third', 'fourth'][quarter - 1]} quarter`])
    : of([`${quarter}. kvartal`, `Q${quarter}`, `${quarter}. kvartal`])

export function letterHead(writing: Writing): void {
  const { sheet, chance } = writing
  if (chance.number(3) === 0) sheet.aside([dayText(writing, writing.date), lookAlike(writing)])
}

function accounts(writing: Writing, rows: string[], years: [number, number] | null): void {
  const { sheet, isEnglish } = writing
  const unit = isEnglish ? 'DKK' : 'kr.'
  const head = years ? ['', String(years[0]), String(years[1])] : ['', unit, '']
  sheet.table([
    head,
    ...(years ? [['', unit, unit]] : []),
    ...rows.map((row) => [row, amount(writing), amount(writing)]),
  ])
}

function twoSides(writing: Writing): void {
  if (writing.chance.number(4) === 0) writing.sheet.columns(prose(writing, 5), prose(writing, 5))
  else writing.sheet.para(prose(writing, 4))
}

/** Papers sometimes have a person's number where it does not belong. */
function addCpr(writing: Writing): void {
  const { cpr, sheet, of, person } = writing
  if (cpr === null) return
  sheet.para(
    of([
      `CPR-nr. ${cpr}`,
      `${person.name}, født ${cpr}`,
      `Personnummer: ${cpr}`,
      `Underskriver: ${person.name} (${cpr})`,
      `cpr ${cpr.replace('-', ' ')}`,
      `${person.name} ${cpr}`,
    ]),
  )
}

function mention(writing: Writing): void {
  const { other, sheet, isEnglish } = writing
  if (!other) return
  const name = nameOf(writing, other)
  const cvr = other.cvr && writing.chance.number(2) === 0 ? `, ${cvrText(writing, other.cvr)}` : ''
  sheet.para(
    isEnglish
      ? `The same applies to ${name}${cvr}, which is managed by the same administrator.`
      : writing.of([
          `Det samme gælder for ${name}${cvr}, som administreres af samme administrator.`,
          `Der er stillet krydskaution sammen med ${name}${cvr}.`,
          `Aftalen er indgået i fællesskab med ${name}${cvr}.`,
        ]),
  )
}

/** The trap is in the middle of the text, or before it. */
function addTrap(writing: Writing): void {
  const { trap, sheet, of, bystander, neighbour, year } = writing
  const bare = neighbour.name.replace(/^K\/S | K\/S$|^Kommanditselskabet /g, '')
  if (trap === 'order' && neighbour.cvr)
    sheet.para(
      of([
        `Ordrenr. ${neighbour.cvr}`,
        `Vores ref. ${neighbour.cvr}`,
        `Tlf. ${neighbour.cvr}`,
        `Fakturanr.: ${neighbour.cvr}`,
      ]),
    )
  if (trap === 'sibling')
    sheet.para(
      of([
        `Naboejendommen ejes af K/S ${bare} III.`,
        `Tidligere ejer var K/S ${bare} 4.`,
        `Der samarbejdes med K/S ${bare} Invest.`,
      ]),
    )
  if (trap === 'near-name')
    sheet.para(
      of([
        `Sagsbehandler: ${bystander.name} Berg`,
        `Kontaktperson er Ib ${bystander.name}.`,
        `Vicevært: Jens-${bystander.name}`,
      ]),
    )
  if (trap === 'copy')
    sheet.para(
      of([
        `Kopi til ${bystander.name}.`,
        `Anparterne er overdraget fra ${bystander.name}.`,
        `Ved forfald deltager ${bystander.name}.`,
      ]),
    )
  if (trap === 'years')
    sheet.para(
      of([
        `Sammenligningstal for ${year - 1} og ${year - 2} er tilpasset den nye opstilling.`,
        `Aftalen fra 2009 blev ændret i 2014 og løber til 2031.`,
        `Ejendommen er opført i 1998 og ombygget i 2016.`,
      ]),
    )
}

/** 'Vedlagt fremsendes …', with the paper itself on the next page. */
export function addCover(writing: Writing, what: string): void {
  const { sheet, of, isEnglish } = writing
  sheet.aside([dayText(writing, writing.date)])
  sheet.lines(identityOf(writing))
  sheet.gap(2)
  sheet.para(isEnglish ? 'Dear Sir or Madam,' : of(['Til administrator', 'Hej', 'God dag']))
  sheet.para(
    isEnglish
      ? `Please find enclosed ${what}. ${prose(writing, 1)}`
      : of([
          `Vedlagt fremsendes ${what}. ${prose(writing, 1)}`,
          `Hermed ${what} til jeres arkiv. ${prose(writing, 1)}`,
          `Som aftalt sender vi ${what}.`,
        ]),
  )
  sheet.lines([isEnglish ? 'Yours sincerely' : 'Med venlig hilsen', strangerCompany(writing).name])
  sheet.newPage()
}

export function ending(writing: Writing): void {
  const { sheet, isEnglish, of } = writing
  addTrap(writing)
  mention(writing)
  addCpr(writing)
  if (writing.chance.number(2) === 0) sheet.para(lookAlike(writing))
  const stranger = strangerCompany(writing)
  sheet.lines([
    isEnglish ? of(['Yours sincerely', 'Signed']) : of(['Med venlig hilsen', 'Underskrift', 'Venlig hilsen']),
    stranger.name,
    cvrText(writing, stranger.cvr),
  ])
}

export const KINDS: Kind[] = [
  {
    name: 'annual report',
    folder: 'Årsrapport',
    about: 'past',
    hasEnglish: true,
    share: 9,
    cover: (w) =>
      w.isEnglish ? `the annual report for ${w.year}` : `den underskrevne årsrapport for ${w.year}`,
    write(w) {
      const { sheet, year, of, isEnglish } = w
      sheet.lines(identityOf(w))
      sheet.title(
        isEnglish
          ? of([`Annual report ${year}`, `Annual Report for ${year}`, `Financial statements ${year}`])
          : of([
              `Årsrapport ${year}`,
              `Årsrapport for ${year}`,
              `Årsrapport`,
              `Årsregnskab ${year}`,
              `Årsrapport for regnskabsåret ${year}`,
            ]),
      )
      sheet.para(
        isEnglish
          ? `1 January – 31 December ${year}`
          : of([
              `1. januar – 31. december ${year}`,
              `Regnskabsperiode: 01.01.${year} - 31.12.${year}`,
              `Regnskabsåret 1. januar ${year} til 31. december ${year}`,
            ]),
      )
      sheet.para(
        isEnglish
          ? `Adopted at the annual general meeting on ${dayText(w, w.date)}`
          : of([
              `Årsrapporten er fremlagt og godkendt på selskabets ordinære generalforsamling ${dayText(w, w.date)}. Dirigent: ${w.person.name}`,
              `Godkendt på generalforsamlingen ${dayText(w, w.date)}`,
              `${w.chance.number(30)}. regnskabsår`,
            ]),
      )
      if (w.chance.number(2) === 0) sheet.newPage()
      sheet.heading(isEnglish ? 'Contents' : 'Indholdsfortegnelse')
      sheet.lines(
        isEnglish
          ? ['Management review', 'Auditor’s report', 'Income statement', 'Balance sheet', 'Notes']
          : [
              'Ledelsespåtegning',
              'Den uafhængige revisors revisionspåtegning',
              'Ledelsesberetning',
              'Resultatopgørelse',
              'Balance',
              'Noter',
            ],
      )
      sheet.para(prose(w, 4))
      const auditor = strangerCompany(w)
      sheet.lines([isEnglish ? 'Auditor' : 'Revisor', auditor.name, cvrText(w, auditor.cvr)])
      sheet.newPage()
      sheet.heading(
        isEnglish ? `Income statement for ${year}` : `Resultatopgørelse 1. januar - 31. december ${year}`,
      )
      accounts(
        w,
        isEnglish
          ? ['Rental income', 'Operating costs', 'Interest', 'Profit for the year']
          : ['Lejeindtægter', 'Driftsomkostninger', 'Renteomkostninger', 'Årets resultat'],
        [year, year - 1],
      )
      sheet.heading(isEnglish ? `Balance at 31 December ${year}` : `Balance pr. 31. december ${year}`)
      accounts(
        w,
        isEnglish
          ? ['Property', 'Equity', 'Mortgage debt']
          : ['Investeringsejendom', 'Egenkapital', 'Prioritetsgæld', 'Anden gæld'],
        [year, year - 1],
      )
      ending(w)
    },
  },
  {
    name: 'quarterly report',
    folder: 'Kvartalsrapport',
    about: 'past',
    hasEnglish: true,
    share: 8,
    write(w) {
      const { sheet, year, of, isEnglish, quarter } = w
      letterHead(w)
      sheet.lines(identityOf(w))
      const end = ['31. marts', '30. juni', '30. september', '31. december'][quarter - 1]
      sheet.title(
        isEnglish
          ? of([`Quarterly report ${quarterName(w)} ${year}`, `Interim report, ${quarterName(w)} ${year}`])
          : of([
              `Kvartalsrapport ${quarterName(w)} ${year}`,
              `Rapport for ${quarter}. kvartal ${year}`,
              `Perioderegnskab ${quarterName(w)} ${year}`,
              `Kvartalsrapport – ${quarter}. kvartal ${year}`,
              `Kvartalsorientering ${quarterName(w)} ${year}`,
            ]),
      )
      twoSides(w)
      if (!isEnglish)
        sheet.para(
          of([
            `Rapporten omfatter perioden frem til ${end} ${year}.`,
            `Perioden ${['1. januar', '1. april', '1. juli', '1. oktober'][quarter - 1]} – ${end} ${year}`,
          ]),
        )
      accounts(
        w,
        isEnglish
          ? ['Income', 'Costs', 'Interest', 'Result']
          : ['Indtægter', 'Omkostninger', 'Renter', 'Periodens resultat'],
        w.chance.number(2) === 0 ? [year, year - 1] : null,
      )
      sheet.heading(isEnglish ? 'Comparison with the budget' : 'Afvigelser i forhold til budget')
      sheet.para(prose(w, 3))
      ending(w)
    },
  },
  {
    name: 'budget',
    folder: 'Budget',
    about: 'coming',
    hasEnglish: true,
    share: 7,
    cover: (w) => (w.isEnglish ? `the budget for ${w.year}` : `budget for ${w.year}`),
    write(w) {
      const { sheet, year, of, isEnglish } = w
      letterHead(w)
      sheet.title(
        isEnglish
          ? of([`Budget ${year}`, `Operating budget for ${year}`])
          : of([
              `Budget ${year}`,
              `Budget for ${year}`,
              `Driftsbudget ${year}`,
              `Budget for året ${year}`,
              `Drifts- og likviditetsbudget ${year}`,
            ]),
      )
      sheet.lines(identityOf(w))
      sheet.table([
        [
          '',
          isEnglish ? `Budget ${year}` : `Budget ${year}`,
          isEnglish ? `Estimate ${year - 1}` : `Estimat ${year - 1}`,
          isEnglish ? `Actual ${year - 2}` : `Regnskab ${year - 2}`,
        ],
        ...(isEnglish
          ? ['Rent', 'Maintenance', 'Insurance', 'Administration', 'Interest']
          : [
              'Lejeindtægt',
              'Vedligeholdelse',
              'Forsikring',
              'Administration',
              'Ejendomsskat',
              'Renter og bidrag',
              'Udlodning',
            ]
        ).map((row) => [row, amount(w, 900_000), amount(w, 900_000), amount(w, 900_000)]),
      ])
      sheet.heading(isEnglish ? 'Assumptions' : 'Forudsætninger')
      twoSides(w)
      ending(w)
    },
  },
  {
    name: 'minutes of a general meeting',
    folder: 'Generalforsamling',
    about: 'day',
    hasEnglish: true,
    share: 7,
    write(w) {
      const { sheet, year, of, isEnglish, date } = w
      const before = year - 1
      sheet.title(
        isEnglish
          ? of(['Minutes of the annual general meeting', 'Annual general meeting – minutes'])
          : of([
              'Referat af ordinær generalforsamling',
              'Referat fra generalforsamling',
              `Generalforsamling ${year}`,
              'Protokollat af ordinær generalforsamling',
              'Generalforsamlingsreferat',
            ]),
        1.6,
      )
      sheet.lines(identityOf(w))
      sheet.para(
        isEnglish
          ? `On ${dayText(w, date)} the annual general meeting was held at the company’s address. ${w.person.name} was elected chairman.`
          : of([
              `Afholdt ${dayText(w, date)} kl. 16.00 hos administrator. Til stede var de i fremmødelisten anførte. ${w.person.name} blev valgt til dirigent.`,
              `År ${year}, ${dayText(w, date)}, afholdtes ordinær generalforsamling. Som dirigent valgtes advokat ${w.person.name}.`,
            ]),
      )
      const points = isEnglish
        ? [
            'Election of chairman',
            'Management’s report',
            `Presentation of the annual report for ${before}`,
            `Budget for ${year}`,
            'Election of auditor',
          ]
        : [
            'Valg af dirigent',
            'Bestyrelsens beretning',
            `Forelæggelse af årsrapport for ${before} til godkendelse`,
            `Gennemgang af budget for ${year}`,
            'Valg af bestyrelse',
            'Valg af revisor',
            'Eventuelt',
          ]
      sheet.lines(points.map((point, index) => `${index + 1}. ${point}`))
      points.slice(0, 4).forEach((point, index) => {
        sheet.heading(isEnglish ? `Item ${index + 1}` : `Ad ${index + 1}. ${point}`)
        sheet.para(prose(w, 2))
      })
      ending(w)
    },
  },
  {
    name: 'notice of a general meeting',
    folder: 'Generalforsamling',
    about: 'day',
    hasEnglish: false,
    share: 5,
    write(w) {
      const { sheet, year, of, date } = w
      sheet.lines(['Til investorerne i', ...identityOf(w)])
      sheet.aside([dayText(w, date)])
      sheet.title(
        of([
          'Indkaldelse til ordinær generalforsamling',
          `Indkaldelse til generalforsamling ${year}`,
          'Dagsorden til ordinær generalforsamling',
          'Der indkaldes til ordinær generalforsamling',
        ]),
        1.5,
      )
      sheet.para(
        `Bestyrelsen indkalder hermed til ordinær generalforsamling ${dayText(w, { ...date, day: 28 })} kl. 15.00.`,
      )
      sheet.lines([
        'Dagsorden:',
        '1. Valg af dirigent',
        `2. Årsrapport for ${year - 1}`,
        '3. Anvendelse af overskud',
        '4. Valg af bestyrelse',
        '5. Eventuelt',
      ])
      sheet.para('Fuldmagt vedlægges. Tilmelding senest otte dage før mødet.')
      ending(w)
    },
  },
  {
    name: 'minutes of the board',
    folder: 'Bestyrelsesmøder',
    about: 'day',
    hasEnglish: false,
    share: 5,
    write(w) {
      const { sheet, of, date } = w
      sheet.title(
        of([
          'Referat af bestyrelsesmøde',
          `Bestyrelsesmøde nr. ${1 + w.chance.number(40)}`,
          'Referat fra bestyrelsesmøde',
          'Bestyrelsesreferat',
        ]),
        1.6,
      )
      sheet.lines(identityOf(w))
      sheet.lines([
        `Dato: ${dayText(w, date)}`,
        `Deltagere: ${w.person.name} (formand), Knud Aagesen, Rikke Thorup`,
        'Referent: administrator',
      ])
      for (const point of [
        'Godkendelse af referat fra sidste møde',
        'Orientering om driften',
        'Økonomi og likviditet',
        'Næste møde',
      ]) {
        sheet.heading(point)
        sheet.para(prose(w, 2))
      }
      ending(w)
    },
  },
  {
    name: 'lease',
    folder: 'Lejekontrakter',
    about: 'day',
    hasEnglish: true,
    share: 7,
    cover: (w) => (w.isEnglish ? 'the signed lease' : 'den underskrevne lejekontrakt'),
    write(w) {
      const { sheet, of, isEnglish, date, project } = w
      sheet.title(
        isEnglish
          ? of(['Lease agreement', 'Commercial lease'])
          : of([
              'Lejekontrakt',
              'Erhvervslejekontrakt',
              'Allonge til lejekontrakt',
              'Lejekontrakt for erhvervslejemål',
              'Tillæg til lejekontrakt',
            ]),
      )
      const tenant = strangerCompany(w)
      const stands = w.sheet.look.isCentred
      const own = [isEnglish ? 'Landlord:' : of(['Udlejer:', 'Som udlejer:']), ...identityOf(w)]
      const theirs = [
        isEnglish ? 'Tenant:' : of(['Lejer:', 'Som lejer:']),
        tenant.name,
        cvrText(w, tenant.cvr),
        ...addressOf(w),
      ]
      if (stands) sheet.lines([...own, ...theirs])
      else
        sheet.table(
          Array.from({ length: Math.max(own.length, theirs.length) }, (_, at) => [
            own[at] ?? '',
            theirs[at] ?? '',
          ]),
          [0.5, 0.5],
        )
      const clauses = isEnglish
        ? ['Premises', 'Term', 'Rent', 'Deposit', 'Maintenance']
        : [
            'Det lejede',
            'Overtagelse og varighed',
            'Leje og regulering',
            'Depositum',
            'Vedligeholdelse',
            'Fremleje og afståelse',
          ]
      clauses.forEach((clause, index) => {
        sheet.heading(`§ ${index + 1}. ${clause}`)
        sheet.para(
          isEnglish
            ? `The annual rent is DKK ${amount(w, 900_000)}. ${prose(w, 1)}`
            : `Den årlige leje udgør kr. ${amount(w, 900_000)} ekskl. moms. ${prose(w, 1)}`,
        )
      })
      sheet.para(
        isEnglish
          ? `Signed on ${dayText(w, date)}`
          : of([`Aftalen træder i kraft ${dayText(w, date)}`, `Dato: ${dayText(w, date)}`]),
      )
      if (project.cvr && w.chance.number(3) === 0) sheet.para(cvrText(w, project.cvr))
      ending(w)
    },
  },
  {
    name: 'loan',
    folder: 'Finansiering',
    about: 'day',
    hasEnglish: true,
    share: 6,
    write(w) {
      const { sheet, of, isEnglish, date } = w
      const bank = strangerCompany(w)
      sheet.lines([bank.name, cvrText(w, bank.cvr), ...addressOf(w)])
      sheet.title(
        isEnglish
          ? of(['Loan agreement', 'Facility agreement'])
          : of([
              'Låneaftale',
              'Lånetilbud',
              'Gældsbrev',
              'Ejerpantebrev',
              `Årsopgørelse for realkreditlån ${date.year}`,
              'Rentetilpasning af realkreditlån',
            ]),
      )
      sheet.lines([isEnglish ? 'Borrower:' : of(['Låntager:', 'Debitor:']), ...identityOf(w)])
      sheet.table([
        ['', isEnglish ? 'DKK' : 'kr.'],
        ...(isEnglish
          ? ['Principal', 'Instalment', 'Margin']
          : ['Hovedstol', 'Restgæld', 'Ydelse pr. termin', 'Bidrag']
        ).map((row) => [row, amount(w)]),
      ])
      sheet.para(
        isEnglish
          ? `The loan is repaid over 20 years. ${prose(w, 2)}`
          : `Lånet afvikles over 20 år med kvartårlige terminer. Til sikkerhed ligger pant i ejendommen. ${prose(w, 2)}`,
      )
      sheet.para(dayText(w, date))
      ending(w)
    },
  },
  {
    name: 'insurance',
    folder: 'Forsikring',
    about: 'day',
    hasEnglish: false,
    share: 5,
    cover: () => 'den nye police',
    write(w) {
      const { sheet, of, date } = w
      const insurer = of(['Tryghed Forsikring A/S', 'Den Gensidige', 'Landsforsikring'])
      sheet.lines([insurer, ...addressOf(w)])
      sheet.title(
        of([
          'Forsikringspolice',
          'Police – bygningsforsikring',
          'Bygningsforsikring',
          'Forsikringsoversigt',
          'Police for erhvervsejendom',
        ]),
      )
      sheet.lines([of(['Forsikringstager:', 'Policeindehaver:']), ...identityOf(w)])
      sheet.lines([`Policenr. ${w.chance.number(99_999_999)}`, `Ikrafttrædelse ${dayText(w, date)}`])
      sheet.table([
        ['Dækning', 'Sum', 'Præmie'],
        ...['Bygningsbrand', 'Storm og vand', 'Glas og sanitet', 'Husejeransvar'].map((row) => [
          row,
          amount(w),
          amount(w, 90_000),
        ]),
      ])
      sheet.para(
        'Selvrisiko gælder for hver skade. Præmien opkræves kvartalsvis, og policen fornyes, medmindre den opsiges.',
      )
      ending(w)
    },
  },
  {
    name: 'articles',
    folder: 'Vedtægter',
    about: 'day',
    hasEnglish: true,
    share: 4,
    write(w) {
      const { sheet, of, isEnglish, date } = w
      sheet.title(
        isEnglish
          ? of(['Articles of association', 'Limited partnership agreement'])
          : of(['Vedtægter', 'Vedtægter for', 'Ændring af vedtægter', 'Selskabets vedtægter']),
      )
      sheet.lines(identityOf(w))
      const clauses = isEnglish
        ? ['Name', 'Objects', 'Capital', 'General meeting', 'Liability']
        : [
            'Navn og hjemsted',
            'Formål',
            'Stamkapital og hæftelse',
            'Generalforsamling',
            'Bestyrelse',
            'Tegningsregel',
            'Regnskabsår',
          ]
      clauses.forEach((clause, index) => {
        sheet.heading(`${index + 1}. ${clause}`)
        sheet.para(prose(w, 2))
      })
      sheet.para(isEnglish ? `Adopted on ${dayText(w, date)}` : `Således vedtaget ${dayText(w, date)}`)
      ending(w)
    },
  },
  {
    name: 'prospectus',
    folder: 'Tegningsmateriale',
    about: 'day',
    hasEnglish: false,
    share: 4,
    write(w) {
      const { sheet, of, date } = w
      sheet.title(of(['Tegningsmateriale', 'Prospekt', 'Investeringsprospekt', 'Tegningsprospekt']))
      sheet.lines(identityOf(w))
      sheet.para(
        `Udbud af ${20 + w.chance.number(80)} anparter. Materialet er udarbejdet ${dayText(w, date)}.`,
      )
      sheet.heading('Investeringen i korte træk')
      twoSides(w)
      sheet.table([
        ['Anpart', 'kr.'],
        ...['Kontant indskud', 'Stamkapital', 'Hæftelse', 'Forventet afkast'].map((row) => [
          row,
          amount(w, 2_000_000),
        ]),
      ])
      sheet.heading('Risici')
      sheet.para(`Tegning sker på vedlagte tegningsblanket. ${prose(w, 2)}`)
      ending(w)
    },
  },
  {
    name: 'valuation',
    folder: 'Vurderinger',
    about: 'day',
    hasEnglish: true,
    share: 5,
    cover: (w) => (w.isEnglish ? 'our valuation' : 'vores vurdering af ejendommen'),
    write(w) {
      const { sheet, of, isEnglish, date } = w
      sheet.title(
        isEnglish
          ? of(['Valuation report', 'Property valuation'])
          : of([
              'Vurderingsrapport',
              'Ejendomsvurdering',
              'Mæglervurdering',
              'Vurdering af ejendom',
              'Valuarvurdering',
            ]),
      )
      sheet.lines([isEnglish ? 'Client:' : of(['Rekvirent:', 'Ejer:']), ...identityOf(w)])
      sheet.para(
        isEnglish
          ? `Date of valuation: ${dayText(w, date)}. ${prose(w, 2)}`
          : `Vurderingsdato: ${dayText(w, date)}. Vurderingen er udført som en afkastbaseret model. ${prose(w, 2)}`,
      )
      sheet.table([
        ['', isEnglish ? 'DKK' : 'kr.'],
        ...(isEnglish
          ? ['Market rent', 'Costs', 'Market value']
          : ['Markedsleje', 'Driftsudgifter', 'Handelsværdi', 'Afkastkrav i pct.']
        ).map((row) => [row, amount(w)]),
      ])
      ending(w)
    },
  },
  {
    name: 'tax information',
    folder: 'Skatteoplysninger',
    about: 'past',
    hasEnglish: false,
    share: 5,
    write(w) {
      const { sheet, year, of } = w
      letterHead(w)
      sheet.lines(identityOf(w))
      sheet.title(
        of([
          `Skatteoplysninger ${year}`,
          `Skattemæssige oplysninger ${year}`,
          `Skatteoplysninger for indkomståret ${year}`,
          `Skattemæssigt regnskab for ${year}`,
        ]),
        1.6,
      )
      sheet.para(
        `Nedenfor følger de oplysninger, der skal anvendes til selvangivelsen for ${year}. Tallene er pr. anpart.`,
      )
      accounts(
        w,
        ['Skattemæssigt resultat', 'Skattemæssige afskrivninger', 'Renteudgifter', 'Saldoværdi ultimo'],
        [year, year - 1],
      )
      sheet.para(prose(w, 2))
      ending(w)
    },
  },
  {
    name: 'invoice',
    folder: 'Diverse',
    about: 'day',
    hasEnglish: true,
    share: 3,
    write(w) {
      const { sheet, of, isEnglish, date } = w
      const seller = strangerCompany(w)
      sheet.lines([seller.name, ...addressOf(w), cvrText(w, seller.cvr)])
      sheet.title(isEnglish ? 'Invoice' : of(['Faktura', 'Faktura', 'Kreditnota', 'Faktura og kontoudtog']))
      sheet.lines(identityOf(w))
      sheet.lines([
        isEnglish ? `Date ${dayText(w, date)}` : `Fakturadato ${dayText(w, date)}`,
        lookAlike(w),
        isEnglish ? 'Payment within 14 days' : 'Betalingsfrist 14 dage netto',
      ])
      sheet.table([
        [isEnglish ? 'Item' : 'Varetekst', isEnglish ? 'Units' : 'Antal', isEnglish ? 'Price' : 'Beløb'],
        ...(isEnglish ? ['Service', 'Materials'] : ['Vicevært', 'Snerydning', 'Materialer']).map((row) => [
          row,
          '1',
          amount(w, 20_000),
        ]),
        [isEnglish ? 'Total incl. VAT' : 'I alt inkl. moms', '', amount(w, 60_000)],
      ])
      sheet.para(
        isEnglish
          ? 'Please state the invoice number when paying.'
          : 'Ved betaling bedes fakturanummer oplyst. Moms udgør 25 pct.',
      )
    },
  },
  {
    name: 'owners',
    folder: 'Diverse',
    about: 'day',
    hasEnglish: false,
    share: 3,
    write(w) {
      const { sheet, of, date } = w
      sheet.title(of(['Ejerfortegnelse', 'Fortegnelse over kommanditister', 'Ejerbog']))
      sheet.lines(identityOf(w))
      sheet.para(`Opgjort ${dayText(w, date)}`)
      sheet.table([
        ['Kommanditist', 'Anparter', 'Ejerandel'],
        ...w.owners.map((name) => [
          name,
          String(1 + w.chance.number(9)),
          `${1 + w.chance.number(9)},${w.chance.number(10)} %`,
        ]),
      ])
      ending(w)
    },
  },
  {
    name: 'odds and ends',
    folder: 'Diverse',
    about: 'day',
    hasEnglish: false,
    share: 3,
    write(w) {
      const { sheet, of, date } = w
      sheet.title(
        of([
          'Energimærke',
          'BBR-meddelelse',
          'Tinglysningsattest',
          'Servicerapport elevator',
          'Byggetilladelse',
        ]),
      )
      sheet.lines(identityOf(w))
      sheet.para(`Udstedt ${dayText(w, date)}. ${prose(w, 3)}`)
      ending(w)
    },
  },
]
