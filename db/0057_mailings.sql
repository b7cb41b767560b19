-- judged: constraint mailings.mailings_asked_by_fkey: whoever asks is of the office, and an import takes back nobody who has done anything
-- judged: constraint mailings.mailings_regretted_by_fkey: the same
-- Mails to several people that the office has asked for. They leave when the time for regret has passed, to those of
-- `user_ids` for whom there is a reason by then.
create table mailings (
  id bigint generated always as identity primary key,
  kind text collate "C" not null,
  -- What it is about: one of them.
  release_id bigint references releases on delete cascade,
  import_id bigint references sheet_imports on delete cascade,
  user_ids bigint[] not null,
  message text collate "C" not null default '',
  asked_by bigint not null references users,
  asked_at timestamptz not null default now(),
  left_at timestamptz,
  -- How many mails were queued.
  left_to integer check (left_to >= 0),
  regretted_at timestamptz,
  regretted_by bigint references users,
  check (num_nonnulls(release_id, import_id) = 1)
);
create unique index mailings_waiting on mailings (kind, coalesce(release_id, import_id))
  where left_at is null and regretted_at is null;
create index mailings_release on mailings (release_id);
create index mailings_import on mailings (import_id);

create trigger mailings_note after insert or update on mailings
  for each row when (new.release_id is not null) execute function note_release_mail();
