import { USER_FIELDS } from '../../../accounts/users/user.fields.ts'
import type { Field } from '../../../base/fields/field.ts'
import { PROJECT_FIELDS } from '../../../projects/project/project.fields.ts'
import { isAdministrator, ROLE_NAMES, ROLES } from '../../../rights.ts'
import { cellOf, letterOf, rowOf, workbookOf, worksheetOf } from '../../../report/workbook.ts'
import { MOST_ROWS } from './checked-sheet.ts'
import { KIND_NAMES, PERSON_COLUMNS, PROJECT_COLUMNS, SHEET_KINDS, type SheetKind } from './sheet-columns.ts'

export const GIVEN_NAME = 'Flyt ind i Ringbind.xlsx'

/** The words of a column that can be picked from a list. */
const CHOICES: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    Object.entries<Field>({ ...PROJECT_FIELDS, ...USER_FIELDS }).flatMap(([name, field]) =>
      field.kind === 'choice' ? [[name, Object.values(field.choices)]] : [],
    ),
  ),
  role: ROLES.filter((role) => !isAdministrator(role)).map((role) => ROLE_NAMES[role]),
}

const columnsOf = (kind: SheetKind) =>
  (kind === 'projects' ? PROJECT_COLUMNS : PERSON_COLUMNS).flatMap(({ field, heading, given }) =>
    given ? [{ field, heading, ...given }] : [],
  )

/** Returns the parts of the Excel file that an office fills in: a sheet of projects, one of people, and how to do it. */
export function givenSheet(office: string): { name: string; text: string }[] {
  const sheets = SHEET_KINDS.map((kind, at) => ({
    name: KIND_NAMES[kind],
    sheet: sheetOf(kind, office, at === 0),
  }))
  return workbookOf([...sheets, { name: 'Vejledning', sheet: guideOf(office) }])
}

function sheetOf(kind: SheetKind, office: string, isShown: boolean): string {
  const columns = columnsOf(kind)
  const last = letterOf(columns.length - 1)
  return worksheetOf(
    {
      rows: [
        rowOf(
          1,
          columns.map(({ heading }, at) => cellOf(at, 1, 'head', heading)),
          ' ht="24" customHeight="1"',
        ),
        rowOf(
          2,
          columns.map(({ example }, at) => cellOf(at, 2, 'note', example === '' ? null : example)),
        ),
      ],
      widths: columns.map(({ width }) => width),
      title: KIND_NAMES[kind],
      office,
      isText: true,
      numbersAsText: `A1:${last}${MOST_ROWS}`,
      hints: columns.map(({ field, heading, note }, at) => {
        const choices = CHOICES[field]
        return {
          cells: `${letterOf(at)}2:${letterOf(at)}${MOST_ROWS}`,
          title: heading,
          text: note,
          ...(choices && { choices }),
        }
      }),
    },
    isShown,
  )
}

const RULES = [
  'Skriv en række for hvert projekt og hver person. Rækken med eksemplet springes over.',
  'Kolonnerne må stå i en anden rækkefølge. Ukendte kolonner bliver ikke brugt.',
  'Et projekt kendes på sit nummer, en person på e-mail eller nummer. Findes de, bliver de ændret.',
  'En tom celle ændrer intet, og arket sletter aldrig noget.',
  'Administratorer, og rollen for en, der findes, ændres under Personer.',
]

function guideOf(office: string): string {
  const columns = SHEET_KINDS.flatMap((kind) =>
    columnsOf(kind).map(({ heading, note }) => [KIND_NAMES[kind], heading, note]),
  )
  const lines = [['Ark', 'Kolonne', 'Hvad der skal stå'], ...columns, [], ...RULES.map((rule) => [rule])]
  return worksheetOf(
    {
      rows: lines.map((line, at) =>
        rowOf(
          at + 1,
          line.map((text, column) => cellOf(column, at + 1, at === 0 ? 'head' : 'text', text)),
        ),
      ),
      widths: [14, 22, 90],
      title: 'Vejledning',
      office,
    },
    false,
  )
}
