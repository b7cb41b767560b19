/** A file in a list: the fields of S3.1 and some more. */
export type StoredFile = {
  id: number
  name: string
  /** `{random}/{name}`, unescaped. It stays the same when the file is moved. */
  path: string
  /** In bytes. */
  size: number
  created_at: string
  /** The year of its period, in which its accounting year ends. */
  year: number | null
  /** For the office: like '2025-Q3'; null for none. Always null for others. */
  period: string | null
  /** For the office: whether the period differs from the one in the name. Always false for others. */
  is_period_given: boolean
  /** The type, as detected from the bytes. */
  mime: string
  sha256: string
  /** Whether it is new to the reader. Always false for the office. */
  is_new: boolean
  /** Whether others could see an older version of it. Always false for the office. */
  is_version: boolean
  /** For the office: whether an investor sent it. For an investor: whether they sent it themselves. */
  from_investor: boolean
  /** Why only the office sees it; null if others do. Always null for others. */
  held: HeldState | null
  /** For the office: the state of a new version that waits to be published; null if none does. */
  waiting: Exclude<HeldState, 'recalled'> | null
  /** For the office: whether an act on it, such as a move, waits for a colleague. Always false for others. */
  is_asked: boolean
}

/** Why a file is held back: its release is in this state, or the release is published and the paper itself is held. */
export const HELD_NAMES = {
  draft: 'Kladde',
  planned: 'Planlagt',
  waiting: 'Venter på godkendelse',
  recalled: 'Trukket tilbage',
  reading: 'Læses',
  doubt: 'Holdt tilbage',
  scan: 'Scannes for virus',
  virus: 'Virus fundet',
  unscanned: 'Ikke scannet for virus',
}
export type HeldState = keyof typeof HELD_NAMES

/** A file as the list shows it. */
export type ListedFile = Omit<StoredFile, 'year' | 'sha256'>

/** A folder in the file list, with its first files or those that a search found. */
export type FolderSection = {
  id: number
  name: string
  visible_to_investors: boolean
  /** How many files are found; without a search, all. */
  files_count: number
  /** How many of all its files are new to the reader; 0 during a search. */
  new_count: number
  files: ListedFile[]
  /** Other files that are new to the reader, in order. They are shown after `files`. */
  new_files: ListedFile[]
}

/** A folder, and the project or person it belongs to. */
export type FilePlace = {
  folder: FolderOption
  project: { id: number; number: string; name: string; has_auditor: boolean } | null
  /** `readers` are those whom the person has lent their own files to. */
  user: { id: number; name: string; readers: string[] } | null
  /** For an adviser: the lenders through whom they see it. Empty for others. */
  lent_by: string[]
}

/**
 * A file of a submission. `held_version` is the version that came with the submission, if it is held back while others
 * see an older one.
 */
export type SubmittedFile = StoredFile & { held_version: number | null }

export type FileGroup = FilePlace & { files: SubmittedFile[] }

/** A folder to jump to, with the page of the list that has it. */
export type FolderLink = FolderOption & { files_count: number; new_count: number; page: number }

/** A folder that a file can be moved to. */
export type FolderOption = { id: number; name: string; visible_to_investors: boolean }

export type DeletedFile = StoredFile & {
  folder: FolderOption
  deleted_at: string
  /** Null if the person is not known. */
  deleted_by: string | null
}

export const SHOWN_FILES = 5 // S9.2
/** How many new files the folders of a page show before they are opened, at most. */
export const SHOWN_NEWS = 50
export const FOLDERS_A_PAGE = 20
/** How long a deleted file can be restored. */
export const TRASH_DAYS = 30
/** How long an act on files can be undone. */
export const UNDO_HOURS = 24
/** How many files one act changes, at most. */
export const MOST_AT_ONCE = 2000

/** How many files of an open folder are sent with the page. */
export const OPEN_FILES = 100
