import { sql } from 'kysely'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type * as Seen from '../../src/access/seen.db.ts'
import type { QueriedReader } from '../../src/access/seen.db.ts'
import { forgetPrepared } from '../../src/server/database/prepared.ts'
import { seeAlike } from '../seeing-suite.ts'
import { compareAnswers, type Difference } from '../seeing.ts'

type Condition = ReturnType<typeof Seen.isFolderSeen>
type Rules = {
  [Name in Exclude<keyof typeof Seen, 'isFolderOf' | 'isOwnedBy' | 'contentsSeen'>]: (
    reader: QueriedReader,
  ) => Condition
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
    isOwnedBy: (owner) => (faulty.forgetsOwner ? NO_CONDITION : actual.isOwnedBy(owner)),
    isFolderOf: (owner, reader) =>
      faulty.forgetsOwner
        ? isFolderSeen(reader)
        : faulty.rules.isFolderSeen
          ? condition<boolean>`(${actual.isOwnedBy(owner)} and ${isFolderSeen(reader)})`
          : actual.isFolderOf(owner, reader),
  } satisfies typeof Seen
})

const appUnderTest = seeAlike({ conditions: 3000, addresses: 150 })

const isMember = ({ id }: QueriedReader) =>
  sql<boolean>`folders.project_id in (select project_id from project_members where user_id = ${id})`

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
]

/** How many offices it may take to notice a fault. */
const PATIENCE = 40

describe('a fault in the rule is noticed through the addresses', { timeout: 10 * 60_000 }, () => {
  afterEach(() => {
    Object.assign(faulty, { rules: {}, forgetsOwner: false, countsDrafts: false })
    forgetPrepared()
  })

  it.each(FAULTS)('%s', async (_name, fault) => {
    Object.assign(faulty, fault)
    forgetPrepared()
    let found: Difference[] = []
    for (let seed = 1; seed <= PATIENCE && found.length === 0; seed++)
      found = await compareAnswers(appUnderTest(), seed)
    expect(found).not.toEqual([])
  })
})
