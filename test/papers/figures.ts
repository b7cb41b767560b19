import type { Figures } from './measure.ts'

/** Required figures of the part that is looked at only at the end. */
export const DEMANDS = { sureRight: 0.995, sure: 0.85, found: 0.98, strangers: 0.9, falseAlarms: 0.01 }

/** A share in per cent: 0.9954 becomes '99.5 %'. Never rounds up to the required figure. */
const percent = (part: number, whole: number) => `${(Math.floor((1000 * part) / whole) / 10).toFixed(1)} %`

export const shares = (figures: Figures) => ({
  sureRight: figures.sureRight / figures.sure,
  sure: figures.sure / figures.readable,
  found: figures.found / figures.contradictions,
  strangers: figures.strangersFound / figures.strangers,
  falseAlarms: figures.falseAlarms / figures.truthful,
})

/** The figures side by side, as the command prints them and the docs have them. */
export function figuresTable(columns: { name: string; figures: Figures }[]): string {
  const row = (what: string, of: (figures: Figures) => string, aim: string) =>
    `| ${[what, ...columns.map(({ figures }) => of(figures)), aim].join(' | ')} |`
  const ratio = (part: number, whole: number) => `${percent(part, whole)} (${part} of ${whole})`
  return [
    `| | ${columns.map(({ name }) => name).join(' | ')} | aim |`,
    `|---|${columns.map(() => '---|').join('')}---|`,
    row('papers, of them readable', ({ papers, readable }) => `${papers}, ${readable}`, '≥ 600 together'),
    row('*Sikker*, of readable papers', ({ sure, readable }) => ratio(sure, readable), '≥ 85 %'),
    row('*Sikker* and right', ({ sureRight, sure }) => ratio(sureRight, sure), '≥ 99.5 %'),
    row('*Sikker* and the wrong person’s', ({ wrongPerson }) => String(wrongPerson), '0'),
    row('contradictions found', ({ found, contradictions }) => ratio(found, contradictions), '≥ 98 %'),
    row(
      'strangers’ papers found, put with an investor',
      ({ strangers, strangersFound }) => ratio(strangersFound, strangers),
      '≥ 90 %',
    ),
    row(
      'false alarms, of truthful names',
      ({ falseAlarms, truthful }) =>
        `${((100 * falseAlarms) / truthful).toFixed(1)} % (${falseAlarms} of ${truthful})`,
      '< 1 %',
    ),
  ].join('\n')
}
