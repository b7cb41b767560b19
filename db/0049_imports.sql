-- Files from a directory tree of an office that moves in. What was found, where it goes and what became of it is here and nowhere
-- else, so that an import goes on after a crash. There is one import for each directory, until it is taken back.
create table imports (
  id bigint generated always as identity primary key,
  -- The bytes of its path: names of an old drive may be in any encoding.
  root bytea not null,
  made_at timestamptz not null default now(),
  -- In whose name; null for whoever keeps the server.
  made_by bigint references users,
  -- Counts the walks through the directory: what the last one that came to its end did not find is gone.
  walks integer not null default 0,
  walked integer not null default 0,
  -- When taking back began: from then on nothing more is imported.
  undone_at timestamptz
);
create unique index imports_root on imports (sha256(root)) where undone_at is null;

create table import_files (
  id bigint generated always as identity primary key,
  import_id bigint not null references imports on delete cascade,
  -- From the root on; `shown` is the same in letters.
  path bytea not null,
  shown text collate "C" not null,
  size bigint not null default 0,
  changed_at timestamptz,
  -- The walk that saw it last.
  walk integer not null,
  state text collate "C" not null default 'found'
    check (state in ('found', 'unread', 'waiting', 'ready', 'imported', 'there', 'left', 'gone', 'undone')),
  -- Where it goes, if that is known, and the name it gets. No foreign keys: what is gone by then is found when it is stored.
  project_id bigint,
  folder_id bigint,
  person_id bigint,
  name text collate "C",
  year integer,
  sureness text collate "C" check (sureness in ('sure', 'maybe', 'unknown')),
  -- A Danish sentence or several: why there, or why not at all.
  why text not null default '',
  -- Somebody has decided it in the table.
  is_by_hand boolean not null default false,
  -- Its content was read, to find out where it goes.
  is_read boolean not null default false,
  -- The file it became, or the one that has the same bytes.
  file_id bigint,
  check ((folder_id is null) or (person_id is null)),
  check (state <> 'ready' or (name is not null and (folder_id is not null or person_id is not null))),
  check (state not in ('imported', 'there') or file_id is not null)
);
create unique index import_files_path on import_files (import_id, sha256(path));
create index import_files_state on import_files (import_id, state, id);
-- The newest year of a folder is stored last, and so comes first there.
create index import_files_ready on import_files (import_id, folder_id, person_id, year nulls first, name desc, id)
  where state = 'ready';
create index import_files_file on import_files (file_id) where file_id is not null;
