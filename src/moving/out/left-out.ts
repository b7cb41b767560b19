/** The tables of the database that the export leaves out, and why. A test compares these and the others with the database. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  // Secrets and signing in: a new system makes its own.
  answered_challenges: 'a secret',
  calendar_feeds: 'a secret',
  code_apps: 'a secret',
  guessed_accounts: 'about signing in here',
  identities: 'about signing in here',
  link_tokens: 'a secret',
  passkeys: 'about signing in here',
  provider_attempts: 'a secret',
  recovery_codes: 'a secret',
  secrets: 'a secret',
  sessions: 'a secret',
  sign_in_failures: 'about signing in here',
  tokens: 'a secret',
  views: 'a secret',
  hooks: 'a secret',

  // Work that is not done, and marks of it.
  duty_mails: 'which mails have left today',
  failed_mails: 'mails that are tried again',
  held_papers: 'papers that are read soon; the files say that only the office sees them',
  hook_acts: 'which acts are events',
  hook_deliveries: 'messages of the last days',
  hook_queue: 'messages that wait',
  inbox_people: 'mails that wait',
  intake_mailboxes: 'how far a mailbox is read',
  intake_mails: 'which mails are taken',
  kept_files: 'not saved yet',
  mailings: 'mails that wait; the log has those that left',
  kept_piles: 'not saved yet',
  temporary_files: 'not saved yet',
  running_hooks: 'which webhooks are on',
  sheet_rows: 'not moved in yet',
  sheets: 'not moved in yet',
  undos: 'what can be taken back for a while',
  upload_pieces: 'not saved yet',
  zip_selections: 'kept for an hour',

  // How things came here: the log says it for each file and person.
  import_files: 'how a drive was moved in',
  imports: 'how a drive was moved in',
  sheet_changes: 'how a sheet was moved in',
  sheet_imports: 'how a sheet was moved in',

  // What is made of the rest, and may be made again.
  byte_checks: 'how far the nightly check is',
  counts: 'made of the rest',
  damaged_blobs: 'the export reads all bytes itself',
  file_words: 'made of the rest',
  lent_seen: 'unread marks',
  log_chain: 'proves the log where it is',
  log_chain_marks: 'how far the log is linked',
  log_rules: 'of the place',
  notices: 'made of the rest',
  page_texts: 'made of the rest',
  paper_facts: 'made of the rest',
  stale_duties: 'what is to be made again',
  texts: 'made of the rest',
  thumbnails: 'made of the rest',
  unindexed_files: 'what is to be made again',
  word_models: 'made of the rest',
  words: 'made of the rest',
  words_version: 'made of the rest',

  // About this installation.
  clock: 'of the place',
  copy_state: 'of the place',
  installation: 'of the place',
  migrations: 'of the place',
  schedules: 'of the place',
  stores: 'of the place',
  troubles: 'of the place',
  write_probe: 'of the place',
}

/** Tables that are written on their own: the files, the log, and pictures. */
export const WRITTEN_APART = ['blobs', 'file_versions', 'files', 'log', 'log_names', 'profile_images']
