import { letter } from '../../office/letter.ts'
import type { Office } from '../../office/office.ts'
import { countFiles } from '../../projects/folder.ts'

/** The office's default message. */
export const RECALL_MESSAGE =
  'Det var en fejl, at du fik adgang. Slet det, du har gemt, makuler det, du har skrevet ud, og lad være med at bruge eller videregive oplysningerne.'

/** The files that a person had opened: the first names, and how many there are. */
export type OpenedFiles = { names: string[]; total: number }

/** Tells a person that files they have opened were recalled, in the office's words. */
export function recallMail(
  office: Office,
  to: { name: string; email: string },
  { names, total }: OpenedFiles,
  message: string,
) {
  return letter(office, {
    to,
    subject:
      total === 1 ? 'En fil, du har åbnet, er trukket tilbage' : 'Filer, du har åbnet, er trukket tilbage',
    link: null,
    action: '',
    before: [
      `Vi har trukket ${total === 1 ? 'denne fil' : 'disse filer'} tilbage. Du har åbnet eller hentet ${total === 1 ? 'den' : 'dem'} i Ringbind:`,
      names.map((name) => `– ${name}`).join('\n'),
      ...(total > names.length ? [`… og ${countFiles(total - names.length)} mere.`] : []),
      message,
    ],
    after: office.email ? 'Har du spørgsmål, er du velkommen til at svare på denne mail.' : '',
  })
}
