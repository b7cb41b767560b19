/** A file in a list: S3.1, and what else is known of it. */
export type StoredFile = {
  id: number
  name: string
  /** `{random}/{name}`, unescaped; it stays when the file is moved. */
  path: string
  /** In bytes. */
  size: number
  created_at: string
  year: number | null
  /** Found from the bytes. */
  mime: string
  sha256: string
  /** To the reader; never to the office. */
  is_new: boolean
  /** The office: it was sent by an investor. An investor: they sent it. */
  from_investor: boolean
}

/** A folder as the file list shows it: with its first files, or those that a search found. */
export type FolderSection = {
  id: number
  name: string
  visible_to_investors: boolean
  /** Of the files that are found, all of them without a search. */
  files_count: number
  /** Of all its files, how many are new to the reader; 0 while something is searched. */
  new_count: number
  files: StoredFile[]
  /** What else of it is new to the reader, in order: shown beside its first files. */
  new_files: StoredFile[]
}

/** Where to jump to: a folder, and the page of the list that has it. */
export type FolderLink = FolderOption & { files_count: number; new_count: number; page: number }

/** Where a file can be moved to. */
export type FolderOption = { id: number; name: string; visible_to_investors: boolean }

export type DeletedFile = StoredFile & {
  folder: FolderOption
  deleted_at: string
  /** Null: nobody who is known. */
  deleted_by: string | null
}

export const SHOWN_FILES = 5 // S9.2
/** So many new files of a folder are shown before it is opened. */
export const SHOWN_NEWS = 50
export const FOLDERS_A_PAGE = 20
/** So long a deleted file can be restored. */
export const TRASH_DAYS = 30

/** So many files of an open folder come with a page. */
export const OPEN_FILES = 100
