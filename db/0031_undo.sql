-- What can be taken back: one row for each act on files, for a day.
create table undos (
  id uuid primary key,
  -- Who did it, and alone may take it back.
  user_id bigint not null references users,
  made_at timestamptz not null default now(),
  kind text collate "C" not null check (kind in ('move', 'order', 'delete', 'restore', 'rename')),
  -- The folders that the files were in and came to.
  folders bigint[] not null,
  -- A list with what each file was and became, as src/files/undo/record.db.ts writes it. Empty once it is taken back.
  files jsonb not null,
  undone_at timestamptz
);
create index undos_made on undos (made_at);
