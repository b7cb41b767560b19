import { expect, it } from 'vitest'
import { forText, scopeText, seenByText, untilText } from './lent.ts'

const scope = (isAll: boolean, names: string[], withOwn: boolean) =>
  scopeText({ is_everything: isAll, folder_names: names, with_own_files: withOwn })

it.each([
  [scope(true, [], false), 'Alt'],
  [scope(false, ['Årsrapport'], false), 'Årsrapport'],
  [scope(false, ['Årsrapport', 'Budget'], false), 'Årsrapport og Budget'],
  [scope(false, ['Årsrapport', 'Budget'], true), 'Årsrapport, Budget og egne filer'],
  [scope(false, [], true), 'egne filer'],
  [seenByText('dig', []), 'Ses af dig og kontoret'],
  [seenByText('dig', ['Karen Revisor']), 'Ses af dig, kontoret og Karen Revisor'],
  [seenByText('Bo Holm', ['A', 'B', 'C']), 'Ses af Bo Holm, kontoret og 3 rådgivere'],
  [forText(['Bo Holm']), 'For Bo Holm'],
  [forText(['Ane', 'Bo', 'Cai', 'Dan']), 'For Ane, Bo, Cai og Dan'],
  [forText(['Ane', 'Bo', 'Cai', 'Dan', 'Eva', 'Fie']), 'For Ane, Bo, Cai, Dan og 2 til'],
  [untilText(null, 'Europe/Copenhagen'), 'indtil adgangen tages tilbage'],
  // Midnight in Copenhagen ends the day before.
  [untilText('2026-12-31T23:00:00.000Z', 'Europe/Copenhagen'), 'til og med 31/12/2026'],
  [untilText('2027-03-28T22:00:00.000Z', 'Europe/Copenhagen'), 'til og med 28/03/2027'],
])('the text %s is written as %s', (text, expected) => {
  expect(text).toBe(expected)
})
