-- Why the mail to a person could not be delivered, in the mail server's words; of the latest try, while more follow.
alter table release_people add reason text collate "C" check (length(reason) <= 300);

-- The names of released files that were removed for good after somebody outside the office had opened them. A recall must
-- say what they had seen.
create table removed_release_files (
  file_id bigint primary key,
  release_id bigint not null references releases on delete cascade,
  name text collate danish not null,
  removed_at timestamptz not null default now()
);
create index removed_release_files_release on removed_release_files (release_id);

create function keep_released_name() returns trigger language plpgsql as $$
begin
  insert into removed_release_files (file_id, release_id, name)
  select old.id, releases.id, old.name from releases
  where releases.submission_id = old.submission_id and exists (
    select from users where users.role not in ('administrator', 'employee') and (
      users.id in (select user_id from file_reads where file_id = old.id)
      or users.id in (
        select user_id from log where file_id = old.id and act in ('file-opened', 'file-downloaded'))))
  on conflict do nothing;
  return old;
end $$;
create trigger files_keep_released_name before delete on files
  for each row when (old.submission_id is not null) execute function keep_released_name();

-- What the office writes to those who had opened files of a recalled release, and what became of it.
create table recall_mails (
  release_id bigint not null references releases on delete cascade,
  user_id bigint not null references users on delete cascade,
  -- The id of its job, and its Message-ID.
  mail_id uuid not null,
  message text collate "C" not null,
  -- Before the release's recalled_at, it was about an earlier recall.
  asked_at timestamptz not null default clock_timestamp(),
  outcome text collate "C" check (outcome in ('sent', 'nothing', 'failed')),
  told_at timestamptz,
  reason text collate "C" check (length(reason) <= 300),
  primary key (release_id, user_id)
);
create index recall_mails_waiting on recall_mails (mail_id) where outcome is null;
