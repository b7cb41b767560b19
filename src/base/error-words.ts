/** The texts of an error page. The title is also that of the browser tab. */
type ErrorWords = { title: string; help: string }

const WORDS: Record<number, ErrorWords> = {
  400: {
    title: 'Forespørgslen kunne ikke forstås',
    help: 'Gå tilbage, genindlæs siden, og prøv igen.',
  },
  401: {
    title: 'Du er blevet logget ud',
    help: 'Log ind i en ny fane. Kom så tilbage, og prøv igen.',
  },
  403: { title: 'Ingen adgang', help: 'Mener du, at du burde have adgang, så kontakt kontoret.' },
  404: {
    title: 'Siden findes ikke',
    help: 'Måske er den flyttet eller slettet, eller adressen er skrevet forkert. Mener du, at du burde have adgang, så kontakt kontoret.',
  },
  405: { title: 'Det kan ikke gøres her', help: 'Gå tilbage, genindlæs siden, og prøv igen.' },
  408: {
    title: 'Det tog for lang tid',
    help: 'Forbindelsen var for langsom eller blev afbrudt. Gå tilbage, og prøv igen.',
  },
  409: { title: 'Noget er ændret i mellemtiden', help: 'Gå tilbage, genindlæs siden, og prøv igen.' },
  410: { title: 'Linket virker ikke længere', help: 'Det er brugt, udløbet eller erstattet af et nyere.' },
  413: { title: 'Det, der blev sendt, er for stort', help: 'Gå tilbage, og send mindre ad gangen.' },
  415: { title: 'Formatet kendes ikke', help: 'Gå tilbage, og vælg en anden fil.' },
  422: { title: 'Noget er ikke udfyldt rigtigt', help: 'Gå tilbage, ret det, og prøv igen.' },
  429: { title: 'Vent et øjeblik', help: '' },
  500: {
    title: 'Noget gik galt',
    help: 'Fejlen er vores. Det, du har gemt, er i behold. Prøv igen om lidt.',
  },
  503: {
    title: 'Ringbind er midlertidigt ude af drift',
    help: 'Det, du har gemt, er i behold. Prøv igen om lidt.',
  },
  507: {
    title: 'Der er ikke mere plads',
    help: 'Det, du har gemt, er i behold. Kontakt kontoret, hvis det bliver ved.',
  },
}

const OTHER: ErrorWords = { title: 'Det kunne ikke lade sig gøre', help: 'Gå tilbage, og prøv igen.' }

const EXPIRED: ErrorWords = {
  title: 'Siden er udløbet',
  help: 'Den har været åben længe, eller du har logget ind igen. Gå tilbage, genindlæs siden, og prøv igen.',
}

/** Returns the texts for a status. `isExpired` means that the page was opened too long ago. */
export function errorWords(status: number, isExpired = false): ErrorWords {
  return isExpired ? EXPIRED : (WORDS[status] ?? OTHER)
}

/** Whether the message adds something to the title. 'Siden findes ikke.' adds nothing to 'Siden findes ikke'. */
export function addsToTitle({ title }: ErrorWords, message: string): boolean {
  return !message.startsWith(title)
}
