-- What a scanner, another program or a mail hands in: it waits in the inbox, beside what investors send, until somebody in the
-- office has sorted it. Such a submission has no user of ours. The version before does not list it.
alter table submissions alter user_id drop not null;
-- A mail may have a text alone.
alter table inbox drop constraint inbox_files_count_check, add constraint inbox_files_count_check check (files_count >= 0);

create table intakes (
  submission_id bigint primary key references submissions on delete cascade,
  source text collate "C" not null check (source in ('directory', 'mailbox')),
  -- As it was told: nobody has proved it.
  sender text collate danish not null check (char_length(sender) <= 320),
  subject text collate danish not null default '' check (char_length(subject) <= 300),
  -- A mail's text, without its looks.
  note text collate danish not null default '' check (char_length(note) <= 10000),
  -- How many small pictures, as of a signature, were left out.
  pictures integer not null default 0,
  -- What was not taken, and why: [{"name", "why"}].
  untaken jsonb not null default '[]',
  search text collate "C" not null generated always as (search_key(sender || ' ' || subject)) stored,
  -- Null while files are still coming: it is not in the inbox yet.
  arrived_at timestamptz,
  -- When the last file came.
  fed_at timestamptz not null default now()
);
create index intakes_coming on intakes (source, sender) where arrived_at is null;

create table intake_files (
  id bigint generated always as identity primary key,
  submission_id bigint not null references intakes on delete cascade,
  name text collate danish not null check (name <> '' and char_length(name) <= 255),
  size bigint not null,
  type text collate "C" not null,
  -- The bytes, as long as they are the intake's: not filed, and not given up.
  blob_id bigint unique references blobs,
  filed_at timestamptz,
  -- Null also when the file is deleted for good.
  file_id bigint references files on delete set null,
  removed_at timestamptz,
  -- What the file was called in the watched directory while it was taken: after a crash it is known by that, and not taken twice.
  token text collate "C" unique check (token ~ '^[0-9a-f]{32}$'),
  search text collate "C" not null generated always as (search_key(name)) stored,
  check ((blob_id is null) = (filed_at is not null or removed_at is not null))
);
create index intake_files_submission on intake_files (submission_id);
create index intake_files_file on intake_files (file_id) where file_id is not null;

-- The bytes of an intake are kept, whatever becomes of the temporary file that was made of them: who would give them up changes
-- nothing, and is told so by the number of changed rows.
create function keep_intake_bytes() returns trigger language plpgsql as $$
begin
  if exists (select from intake_files where blob_id = new.id) then return null; end if;
  return new;
end $$;
create trigger blobs_kept_by_intake before update of state on blobs
  for each row when (new.state = 'removing' and old.state <> 'removing') execute function keep_intake_bytes();

-- They are read before anybody opens them.
create function want_texts_of_intake() returns trigger language plpgsql as $$
begin
  perform want_texts(array_agg(blob_id), array_agg(name::text)) from came where blob_id is not null;
  return null;
end $$;
create trigger intake_files_read after insert on intake_files
  referencing new table as came for each statement execute function want_texts_of_intake();

-- Saved bytes are the file's. What is filed as a whole is done.
create function file_intakes(blob_ids bigint[], file_ids bigint[]) returns void language plpgsql as $$
declare
  touched bigint[];
begin
  with filed as (
    update intake_files set blob_id = null, file_id = saved.file_id, filed_at = now()
    from unnest(blob_ids, file_ids) as saved (blob_id, file_id)
    where intake_files.blob_id = saved.blob_id
    returning submission_id
  )
  select array_agg(distinct submission_id) into touched from filed;
  if touched is null then return; end if;
  update inbox set state = 'done', changed_at = now()
  from intakes
  where inbox.submission_id = any (touched) and inbox.state = 'taken'
    and intakes.submission_id = inbox.submission_id and intakes.untaken = '[]'
    and not exists (
      select from intake_files where intake_files.submission_id = inbox.submission_id and blob_id is not null);
end $$;

create function file_intakes_of_new() returns trigger language plpgsql as $$
begin
  perform file_intakes(array_agg(blob_id), array_agg(id)) from added;
  return null;
end $$;
create trigger files_file_intakes after insert on files
  referencing new table as added for each statement execute function file_intakes_of_new();

create function file_intake() returns trigger language plpgsql as $$
begin
  perform file_intakes(array[new.blob_id], array[new.id]);
  return null;
end $$;
create trigger files_file_intake after update of blob_id on files
  for each row when (old.blob_id <> new.blob_id) execute function file_intake();

create function file_intake_as_version() returns trigger language plpgsql as $$
begin
  perform file_intakes(array[new.blob_id], array[new.file_id]);
  return null;
end $$;
create trigger file_versions_file_intake after insert on file_versions
  for each row execute function file_intake_as_version();

-- Open pages show which files are filed. Files are what is watched, so the transaction tells of it.
create trigger intake_files_note after update on intake_files for each row execute function note_mark('inbox');

-- How far a mailbox has been read. A mail is known by its number, as long as the mailbox counts as it did (`uid_validity`).
create table intake_mailboxes (
  id bigint generated always as identity primary key,
  -- 'user@host/INBOX'
  name text collate "C" not null unique check (char_length(name) <= 600),
  uid_validity bigint not null,
  last_uid bigint not null,
  -- Older mails than this were there before we were: only the unread ones of them are taken.
  since_uid bigint not null
);

create table intake_mails (
  mailbox_id bigint not null references intake_mailboxes on delete cascade,
  uid_validity bigint not null,
  uid bigint not null,
  -- Knows a mail again when its mailbox counts anew. Null until it could be fetched.
  fingerprint text collate "C" check (fingerprint ~ '^[0-9a-f]{64}$'),
  -- Null until it is taken.
  submission_id bigint references intakes on delete set null,
  taken_at timestamptz,
  -- Counted before each try, so that a mail that brings down whoever reads it is not read for ever.
  tries smallint not null default 0,
  -- It is marked as read in the mailbox, and moved if that is wished.
  is_marked boolean not null default false,
  primary key (mailbox_id, uid_validity, uid)
);
create index intake_mails_fingerprint on intake_mails (fingerprint);
create index intake_mails_unmarked on intake_mails (mailbox_id) where taken_at is not null and not is_marked;
create index intake_mails_submission on intake_mails (submission_id) where submission_id is not null;
