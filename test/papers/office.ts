import { isCvr } from '../../src/base/cvr.ts'
import { chanceOf, type Chance } from '../chance.ts'

// The office whose papers the test set has. Nothing of it is the demo's.

export type TestFolder = { id: number; name: string; subNames: string[]; isShared: boolean }
export type TestProject = {
  id: number
  number: string
  name: string
  cvr: string | null
  folders: TestFolder[]
  members: number[]
}
export type TestPerson = { id: number; name: string; numbers: string[]; companies: TestCompany[] }
export type TestCompany = { name: string; cvr: string }
export type TestOffice = { projects: TestProject[]; people: TestPerson[] }

/** The template's folders, and whether investors see them. */
const FOLDERS: [name: string, subNames: string[], isShared: boolean][] = [
  ['Årsrapport', ['Årsrapport 2020', 'Årsrapport KS'], true],
  ['Kvartalsrapport', [], true],
  ['Budget', [], true],
  ['Generalforsamling', [], true],
  ['Bestyrelsesmøder', [], false],
  ['Lejekontrakter', [], true],
  ['Finansiering', [], false],
  ['Forsikring', [], true],
  ['Vedtægter', [], true],
  ['Tegningsmateriale', [], true],
  ['Vurderinger', [], true],
  ['Skatteoplysninger', [], true],
  ['Diverse', [], false],
]

/** Many are nearly the same. */
const PROJECT_NAMES = `
  Nordhavn Kontorhus, Nordhavn Kontorhus II, Nordhavn Kontorpark, Vindpark Thy, Vindpark Thyborøn,
  Aarhus Ø Parkering, Århus Ø Boliger, Kolding Storcenter, Kolding Storcenter Vest, Møllevej 12,
  Møllevej 14, Solcellepark Nørre Alslev, Hotel Vesterport, Logistikcenter Taulov, Logistikcenter Taulov Syd,
  Domus Logistik, Rådhuspassagen, Tankskib Freja, Tankskib Frida, Bulkskib Thor, Havnefronten Esbjerg,
  Supermarked Ølstykke, Supermarked Ølby, Datacenter Fredericia, Plejecenter Søbo, Plejecenter Søborg,
  Studieboliger Odense C, Studieboliger Odense M, Ejendomsinvest Berlin 3, Ejendomsinvest Berlin 13,
  Hamborg Retail, Hamburg Retail Park, Skovbrynet, Skovbrynet Etape 2, Vindmøller Lolland, Vindmøller Falster,
  Butikscenter Ringsted, Lagerhotel Greve, Lagerhotel Greve Nord, Kontordomicil Ørestad, Domicil Ørestad Syd,
  Biogas Midtjylland, Rækkehuse Hinnerup, Seniorbo Silkeborg, Seniorbo Skanderborg, Fabrikken Horsens,
  Bryghuset, Gl. Kongevej 60, Gl. Kongevej 160, Stockholm Lager, Malmø Kontor, Byggemarked Næstved,
  Lægehuset Herning, Retail Sydhavnen, Retail Nordhavnen, Trekanten Erhverv, Containerskib Embla,
  Sommerland Fyn`
  .split(',')
  .map((name) => name.trim())

const FIRST =
  'Anne Peter Mette Lars Karen Søren Hanne Jens Kirsten Niels Birgit Ole Lone Erik Inge Bo Åse Thomas Pia Henrik Tove Aage Gitte Carl'.split(
    ' ',
  )
const LAST =
  'Jensen Nielsen Hansen Holm Bruun Friis Krogh Østergaard Lund Møller Kjær Dahl Winther Bach Skov Toft Vestergaard Bøgh Ravn Høj'.split(
    ' ',
  )

/** Makes the same office each time. */
export function makeOffice(): TestOffice {
  const chance = chanceOf(24)
  const cvrs = new Set<string>()
  const newCvr = () => {
    for (;;) {
      const cvr = String(10_000_000 + chance.number(39_999_999))
      if (isCvr(cvr) && !cvrs.has(cvr)) return (cvrs.add(cvr), cvr)
    }
  }
  const people = makePeople(chance, newCvr)
  const projects = PROJECT_NAMES.map((name, index): TestProject => {
    const isNamedKs = name !== 'Domus Logistik' && name !== 'Bryghuset'
    return {
      id: 500 + index,
      number: index % 17 === 16 ? `${300 + index}B` : String(1001 + index * 3),
      name: isNamedKs ? (index % 9 === 5 ? `${name} K/S` : `K/S ${name}`) : `Kommanditselskabet ${name}`,
      cvr: index % 23 === 22 ? null : newCvr(),
      folders: FOLDERS.map(([folder, subNames, isShared], place) => ({
        id: 10_000 + index * 20 + place,
        name: folder,
        subNames,
        isShared,
      })),
      members: [],
    }
  })
  for (const { members } of projects)
    for (let count = 8 + chance.number(10); members.length < count;) {
      const { id } = chance.of(people)
      if (!members.includes(id)) members.push(id)
    }
  // Everybody is in at least one.
  for (const { id } of people)
    if (!projects.some(({ members }) => members.includes(id))) chance.of(projects).members.push(id)
  return { projects, people }
}

function makePeople(chance: Chance, newCvr: () => string): TestPerson[] {
  const names = new Set<string>()
  while (names.size < 190) {
    const middle = chance.number(4) === 0 ? `${chance.of(LAST)} ` : ''
    names.add(`${chance.of(FIRST)} ${middle}${chance.of(LAST)}`)
  }
  const companies = LAST.slice(0, 14).flatMap((name, index) => [
    `${name} Holding ApS`,
    ...(index % 3 === 0 ? [`${name} Holding II ApS`] : []),
    ...(index % 4 === 1 ? [`${name} Invest A/S`] : []),
  ])
  const all = [...names, ...companies]
  // Namesakes: two people, one name.
  all.push(...all.slice(0, 12))
  return all.map((name, index) => ({
    id: 7000 + index,
    name,
    // Some numbers look like years.
    numbers: index % 25 === 24 ? [String(2001 + index), String(4001 + index)] : [String(2001 + index)],
    companies: index % 6 === 0 ? [{ name: `K/S ${chance.of(LAST)}parken ${index}`, cvr: newCvr() }] : [],
  }))
}
