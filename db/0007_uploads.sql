-- What has been sent but not yet put anywhere. It belongs to who sent it, for a day.
create table temporary_files (
  hash_name text collate "C" primary key check (hash_name ~ '^[0-9a-f]{32}$'),
  user_id bigint not null references users,
  blob_id bigint not null unique references blobs,
  name text collate danish not null check (name <> ''),
  created_at timestamptz not null default now()
);
create index temporary_files_user on temporary_files (user_id);
create index temporary_files_created on temporary_files (created_at);

-- A form that was sent, by the id that it carries: sent again after a lost answer, it is not stored again.
create table submissions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  key text collate "C" not null,
  -- What it held: the same id with other files is no repetition.
  content text collate "C" not null,
  created_at timestamptz not null default now(),
  unique (user_id, key)
);
alter table files add submission_id bigint references submissions;
create index files_submission on files (submission_id) where submission_id is not null;
