import { countPeople, type PeopleCounts, type PublishingWay, type Reach } from './release.ts'

/** Stands where mails are promised, if none can leave. */
export const NO_MAIL_SERVER = 'Ingen får mail, for der er ingen mailserver.'

const TOLD: Record<PublishingWay, string> = {
  now: 'får mail',
  draft: 'får mail, når du udgiver dem',
  later: 'får mail',
}

/** '16 personer får mail': the same in a few words. */
export function shortReachText(way: PublishingWay, reach: Reach): string {
  const { people, no_mail: noMail, uninvited } = reach
  const told = reach.sends_mail ? people - noMail - uninvited : 0
  if (people === 0) return 'Kun kontoret ser dem'
  const when = { now: '', draft: ', når du udgiver', later: ', når de udgives' }[way]
  if (told === people) return `${countPeople(people)} får mail${when}`
  return `${countPeople(people)} ser dem${when}, ${told === 0 ? 'ingen' : told} får mail`
}

/** Says whom files will reach, and how many of them get a mail. */
export function reachText(way: PublishingWay, reach: Reach): string {
  const { people, no_mail: noMail, uninvited, never_in: neverIn } = reach
  if (people === 0) return 'Ingen uden for kontoret kan se filerne.'
  const seen = `${countPeople(people)} uden for kontoret kan se filerne${way === 'later' ? ' fra det tidspunkt' : ''}`
  if (!reach.sends_mail) return `${seen}. ${NO_MAIL_SERVER}`
  const told = people - noMail - uninvited
  const first =
    told === people ? `${seen} og ${TOLD[way]}.` : told > 0 ? `${seen}, og ${told} ${TOLD[way]}.` : `${seen}.`
  return [first, ...mailTexts(people, reach), neverInText(neverIn - uninvited, people)]
    .filter(Boolean)
    .join(' ')
}

/** Says how many get no mail, since they are not invited or chose so, and how many get it later. */
export function mailTexts(
  people: number,
  { no_mail: noMail, later, uninvited }: Pick<PeopleCounts, 'no_mail' | 'later' | 'uninvited'>,
) {
  return [
    uninvited > 0 &&
      `${uninvited === people ? allOf(people) : uninvited} er ikke inviteret og får ingen mail.`,
    noMail > 0 && `${noMail === people ? allOf(people) : noMail} har fravalgt mails.`,
    later > 0 && `${later === people ? allOf(people) : later} får den i en daglig eller ugentlig mail.`,
  ].filter((text) => text !== false)
}

const allOf = (people: number) => (people === 1 ? 'Personen' : 'Alle')

function neverInText(neverIn: number, people: number): string {
  if (neverIn === 0) return ''
  if (people === 1) return 'Personen har ikke været logget ind endnu.'
  return `${neverIn === people ? 'Ingen af dem har' : `${neverIn} af dem har ikke`} været logget ind endnu.`
}
