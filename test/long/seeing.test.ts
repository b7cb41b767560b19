import { sql } from 'kysely'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type * as Seen from '../../src/access/seen.db.ts'
import type { QueriedReader } from '../../src/access/seen.db.ts'
import { forgetPrepared } from '../../src/server/database/prepared.ts'
import { seeAlike } from '../seeing/seeing-suite.ts'
import type { Difference } from '../seeing/differences.ts'
import { compareAnswers } from '../seeing/seeing.ts'
import { TIMES } from './times.ts'

type Condition = ReturnType<typeof Seen.isFolderSeen>
type Rules = {
  [
    Name in Exclude<
      keyof typeof Seen,
      'isFolderOf' | 'isOwnedBy' | 'contentsSeen' | 'isFolderLent' | 'LENDER' | 'IS_PROJECT_LENT'
    >
  ]: (reader: QueriedReader) => Condition
}

const NO_CONDITION = sql<boolean>`true`

/** The fault that the rule has at the moment; only the last tests set one. */
const faulty = vi.hoisted(() => ({
  rules: {} as Partial<Rules>,
  forgetsOwner: false,
  countsDrafts: false,
  actual: null as typeof Seen | null,
}))

vi.mock('../../src/access/seen.db.ts', async (importOriginal) => {
  const { sql: condition } = await import('kysely')
  const actual = await importOriginal<typeof Seen>()
  faulty.actual = actual
  const rule =
    (name: keyof Rules) =>
    (reader: QueriedReader): Condition =>
      (faulty.rules[name] ?? actual[name])(reader)
  const isFolderSeen = rule('isFolderSeen')
  return {
    isProjectSeen: rule('isProjectSeen'),
    isFolderSeen,
    isFileSeen: rule('isFileSeen'),
    isFileShown: rule('isFileShown'),
    isReleased: rule('isReleased'),
    contentsSeen: (reader) =>
      actual.contentsSeen(faulty.countsDrafts ? { ...reader, role: 'employee' } : reader),
    isDeletedFileSeen: rule('isDeletedFileSeen'),
    isVersionSeen: rule('isVersionSeen'),
    isPersonSeen: rule('isPersonSeen'),
    isReportSeen: rule('isReportSeen'),
    isFolderLent: actual.isFolderLent,
    LENDER: actual.LENDER,
    IS_PROJECT_LENT: actual.IS_PROJECT_LENT,
    isOwnedBy: (owner) => (faulty.forgetsOwner ? NO_CONDITION : actual.isOwnedBy(owner)),
    isFolderOf: (owner, reader) =>
      faulty.forgetsOwner
        ? isFolderSeen(reader)
        : faulty.rules.isFolderSeen
          ? condition<boolean>`(${actual.isOwnedBy(owner)} and ${isFolderSeen(reader)})`
          : actual.isFolderOf(owner, reader),
  } satisfies typeof Seen
})

const appUnderTest = seeAlike({ conditions: 600 * TIMES, addresses: 30 * TIMES })

const isMember = ({ id }: QueriedReader) =>
  sql<boolean>`folders.project_id in (select project_id from project_members where user_id = ${id})`

/** A rule for advisers that is wrong, and the right one for everybody else. */
const forAdvisers = (
  name: 'isFolderSeen' | 'isProjectSeen' | 'isPersonSeen' | 'isReportSeen',
  wrong: (reader: QueriedReader) => Condition,
): Partial<typeof faulty> => ({
  rules: {
    [name]: (reader: QueriedReader) =>
      reader.role === 'adviser' ? wrong(reader) : faulty.actual![name](reader),
  },
})

const LENDER: QueriedReader = { id: sql<number>`lender.id`, role: 'investor' }
const IS_NOT_OVER = sql<boolean>`lendings.ended_at is null and (lendings.until is null or lendings.until > now())`
const IS_ABLE = sql<boolean>`lender.deactivated_at is null and lender.role = 'investor'`
const IN_SCOPE = sql<boolean>`(lendings.is_everything or case when folders.user_id is null
  then folders.name collate "C" = any (lendings.folder_names) else lendings.with_own_files end)`

/** Condition on `folders`: a lending to the reader fulfils these conditions. */
const isLentIf = ({ id }: QueriedReader, ...all: Condition[]) => sql<boolean>`exists (
  select from lendings join users as lender on lender.id = lendings.lender_id
  where lendings.adviser_id = ${id} and ${sql.join(all, sql` and `)})`

const lenderSees = () => faulty.actual!.isFolderSeen(LENDER)

/** Faults that a change could make. Each must be noticed within a few offices. */
const FAULTS: [name: string, fault: Partial<typeof faulty>][] = [
  ['everybody sees every project', { rules: { isProjectSeen: () => NO_CONDITION } }],
  [
    'nobody sees more projects than their first',
    {
      rules: {
        isProjectSeen: ({ id }) =>
          sql<boolean>`projects.id = (select min(project_id) from project_members where user_id = ${id})`,
      },
    },
  ],
  [
    'investors see the hidden folders of their projects',
    {
      rules: {
        isFolderSeen: (reader) =>
          reader.role === 'investor'
            ? sql<boolean>`(folders.user_id = ${reader.id} or ${isMember(reader)})`
            : faulty.actual!.isFolderSeen(reader),
      },
    },
  ],
  [
    'investors see the shared folders of every project',
    {
      rules: {
        isFolderSeen: (reader) =>
          reader.role === 'investor'
            ? sql<boolean>`(folders.user_id = ${reader.id} or folders.project_id is not null and folders.visible_to_investors)`
            : faulty.actual!.isFolderSeen(reader),
      },
    },
  ],
  [
    'investors see one another’s own files',
    {
      rules: {
        isFolderSeen: (reader) =>
          reader.role === 'investor'
            ? sql<boolean>`(folders.user_id is not null or folders.visible_to_investors and ${isMember(reader)})`
            : faulty.actual!.isFolderSeen(reader),
      },
    },
  ],
  [
    'auditors see every folder of the office',
    {
      rules: {
        isFolderSeen: (reader) =>
          reader.role === 'auditor' ? NO_CONDITION : faulty.actual!.isFolderSeen(reader),
      },
    },
  ],
  [
    'auditors miss the hidden folders of their projects',
    {
      rules: {
        isFolderSeen: (reader) =>
          reader.role === 'auditor'
            ? sql<boolean>`(folders.visible_to_investors and ${isMember(reader)})`
            : faulty.actual!.isFolderSeen(reader),
      },
    },
  ],
  [
    'a deleted file is still opened',
    { rules: { isFileSeen: (reader) => faulty.actual!.isFolderSeen(reader) } },
  ],
  ['the trash shows files that were not deleted', { rules: { isDeletedFileSeen: () => NO_CONDITION } }],
  ['everybody sees everybody', { rules: { isPersonSeen: () => NO_CONDITION } }],
  [
    'advisers see the report of whoever lends them anything',
    forAdvisers('isReportSeen', (reader) => faulty.actual!.isPersonSeen(reader)),
  ],
  [
    'a draft is opened',
    {
      rules: {
        isFileSeen: (reader) => sql`(files.deleted_at is null and ${faulty.actual!.isFolderSeen(reader)})`,
      },
    },
  ],
  ['everybody sees all versions', { rules: { isVersionSeen: () => NO_CONDITION } }],
  ['lists show drafts', { rules: { isFileShown: () => sql`files.deleted_at is null` } }],
  ['the result of an upload shows drafts', { rules: { isReleased: () => NO_CONDITION } }],
  ['counts include drafts', { countsDrafts: true }],
  ['an owner’s address shows the folders of others', { forgetsOwner: true }],
  [
    'access that was taken back still counts',
    forAdvisers('isFolderSeen', (reader) =>
      isLentIf(
        reader,
        sql<boolean>`(lendings.until is null or lendings.until > now())`,
        IS_ABLE,
        lenderSees(),
        IN_SCOPE,
      ),
    ),
  ],
  [
    'access past its last day still counts',
    forAdvisers('isFolderSeen', (reader) =>
      isLentIf(reader, sql<boolean>`lendings.ended_at is null`, IS_ABLE, lenderSees(), IN_SCOPE),
    ),
  ],
  [
    'people who are investors no longer, or deactivated, still lend',
    forAdvisers('isFolderSeen', (reader) => isLentIf(reader, IS_NOT_OVER, lenderSees(), IN_SCOPE)),
  ],
  [
    'advisers see all that their lender sees',
    forAdvisers('isFolderSeen', (reader) => isLentIf(reader, IS_NOT_OVER, IS_ABLE, lenderSees())),
  ],
  [
    'advisers see folders by name, whatever their lender sees',
    forAdvisers('isFolderSeen', (reader) => isLentIf(reader, IS_NOT_OVER, IS_ABLE, IN_SCOPE)),
  ],
  [
    'advisers miss their lenders’ own files',
    forAdvisers('isFolderSeen', (reader) =>
      isLentIf(reader, IS_NOT_OVER, IS_ABLE, lenderSees(), IN_SCOPE, sql<boolean>`folders.user_id is null`),
    ),
  ],
  [
    'advisers see what investors see',
    forAdvisers('isFolderSeen', ({ id }) => faulty.actual!.isFolderSeen({ id, role: 'investor' })),
  ],
  [
    'advisers see all projects of their lenders',
    forAdvisers('isProjectSeen', (reader) =>
      isLentIf(reader, IS_NOT_OVER, IS_ABLE, faulty.actual!.isProjectSeen(LENDER)),
    ),
  ],
  [
    'advisers see who lends to them no longer',
    forAdvisers(
      'isPersonSeen',
      ({ id }) =>
        sql<boolean>`(users.id = ${id} or users.id in (select lender_id from lendings where adviser_id = ${id}))`,
    ),
  ],
]

/** How many offices it may take to notice a fault. */
const PATIENCE = 40

describe('a fault in the rule is noticed through the addresses', { timeout: 10 * 60_000 }, () => {
  afterEach(() => {
    Object.assign(faulty, { rules: {}, forgetsOwner: false, countsDrafts: false })
    forgetPrepared()
  })

  it.each(FAULTS)('the addresses notice a fault in the rule: %s', async (_name, fault) => {
    Object.assign(faulty, fault)
    forgetPrepared()
    let found: Difference[] = []
    for (let seed = 1; seed <= PATIENCE && found.length === 0; seed++)
      found = await compareAnswers(appUnderTest(), seed)
    expect(found).not.toEqual([])
  })
})
