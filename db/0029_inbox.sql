-- What an investor sends to the office with one save, and which of the office's people takes care of it.
create table inbox (
  submission_id bigint primary key references submissions,
  -- How many files it held. Some may be deleted for good since.
  files_count integer not null check (files_count > 0),
  state text collate "C" not null default 'new' check (state in ('new', 'taken', 'done')),
  -- Who has taken or finished it, and when. Null for a new one, and for those from before there was an inbox.
  changed_by bigint references users,
  changed_at timestamptz,
  -- When the office's people were found whom a mail tells of it.
  announced_at timestamptz,
  check (state <> 'new' or changed_by is null),
  check (state <> 'taken' or changed_by is not null),
  check ((changed_by is null) = (changed_at is null))
);
create index inbox_new on inbox (submission_id) where state = 'new';
create index inbox_taken on inbox (changed_by, submission_id) where state = 'taken';
create index inbox_unannounced on inbox (submission_id) where announced_at is null;

-- Who waits for a mail about it. The row is removed when the mail is sent, or says nothing to them any more.
create table inbox_people (
  submission_id bigint not null references inbox on delete cascade,
  user_id bigint not null references users on delete cascade,
  -- The mail that tells them: the id of its job, and its Message-ID. Several may share one.
  mail_id uuid,
  primary key (submission_id, user_id)
);
create index inbox_people_mail on inbox_people (mail_id) where mail_id is not null;

-- Everything from before is done, except what came lately and nobody in the office has opened. No mail tells of it.
insert into inbox (submission_id, files_count, state, announced_at)
  select submission_id, count(*), case
      when max(created_at) > now() - interval '14 days' and bool_or(deleted_at is null) and not bool_or(exists (
        select from file_reads
        where file_reads.file_id = files.id and file_reads.user_id is distinct from files.uploaded_by))
      then 'new' else 'done' end, now()
  from files where from_investor and submission_id is not null group by submission_id;

-- A trigger, so that what the version before receives is in the inbox too.
create function receive_files() returns trigger language plpgsql as $$
begin
  insert into inbox (submission_id, files_count)
    select submission_id, count(*) from added where from_investor and submission_id is not null group by submission_id
    on conflict (submission_id) do update set files_count = inbox.files_count + excluded.files_count;
  return null;
end $$;
create trigger files_received after insert on files
  referencing new table as added for each statement execute function receive_files();
