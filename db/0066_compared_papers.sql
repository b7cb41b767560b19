-- Where a paper was compared with its place, or was shown before papers were compared. Whatever opens it to somebody else has it
-- compared again. Ids alone: a project that is gone has no papers.
create table compared_papers (
  blob_id bigint primary key references blobs on delete cascade,
  project_id bigint,
  user_id bigint,
  -- Investors saw the folder.
  is_shared boolean not null
);

-- Whether papers are read here. Set at each start, since the database does not know the settings.
create table paper_reading (
  is_only boolean primary key default true check (is_only),
  is_on boolean not null
);

-- Held papers that may be read by now. Looking at all of them each second would take too long with a drive of 200,000.
create table due_papers (
  blob_id bigint primary key references blobs on delete cascade,
  due_at timestamptz not null default clock_timestamp()
);
create index due_papers_due on due_papers (due_at);
-- Those that somebody waits for are read first.
create index held_papers_awaited on held_papers (held_at) where cause = 'reading' and held_by is not null;
insert into due_papers (blob_id) select distinct blob_id from held_papers where cause = 'reading';

-- It was shown before it was moved, restored or swapped: nobody is told again when it is shown.
alter table held_papers add was_shown boolean not null default false;
-- The last entry of the log when these facts were found: who or what came later is not among them.
alter table paper_facts add made_after bigint;
-- One of the pages that tell what a paper is could not be read as a picture.
alter table texts add is_scan_failed boolean not null default false;

create function is_compared(blob bigint, folder bigint) returns boolean stable language sql as $$
  select exists (
    select from compared_papers join folders on folders.id = folder
    where compared_papers.blob_id = blob
      and compared_papers.project_id is not distinct from folders.project_id
      and compared_papers.user_id is not distinct from folders.user_id
      and (compared_papers.is_shared or not folders.visible_to_investors))
$$;

create function hold_if_new(blob bigint, folder bigint, is_shown boolean) returns void language sql as $$
  insert into held_papers (blob_id, cause, was_shown)
  select blob, 'reading', is_shown
  where exists (select from paper_reading where is_on) and not is_compared(blob, folder)
    and not exists (select from held_papers where blob_id = blob and cause in ('reading', 'doubt'))
$$;

-- Moving, restoring and putting back may open a paper to somebody it was not compared for, whoever does it.
create function hold_opened() returns trigger language plpgsql as $$
begin
  perform hold_if_new(new.blob_id, new.folder_id, not new.is_held_back);
  perform hold_if_new(blob_id, new.folder_id, false) from file_versions
  where file_id = new.id and is_held_back and submission_id is not null and blob_id <> new.blob_id;
  if exists (select from held_papers where blob_id = new.blob_id) then new.is_held_back := true; end if;
  return new;
end $$;
-- judged: trigger files.files_hold_opened: holds back what the last release would show uncompared
create trigger files_hold_opened before update of folder_id, blob_id, deleted_at on files for each row
  when (new.deleted_at is null
    and (old.folder_id <> new.folder_id or old.blob_id <> new.blob_id or old.deleted_at is not null))
  execute function hold_opened();

-- Nobody sees a draft yet: under another name it is compared again.
create function hold_renamed() returns trigger language plpgsql as $$
begin
  delete from compared_papers where blob_id = new.blob_id;
  perform hold_if_new(new.blob_id, new.folder_id, false);
  return null;
end $$;
-- judged: trigger files.files_hold_renamed: holds back what the last release would show uncompared
create trigger files_hold_renamed after update of name on files for each row
  when (old.name <> new.name and new.is_held_back and new.deleted_at is null) execute function hold_renamed();

-- A version that is put back is compared with where its file lies now.
create function hold_version() returns trigger language plpgsql as $$
begin
  perform hold_if_new(new.blob_id, (select folder_id from files where id = new.file_id), false);
  return new;
end $$;
-- judged: trigger file_versions.file_versions_hold: holds back what the last release would show uncompared
create trigger file_versions_hold before insert or update of submission_id on file_versions for each row
  when (new.is_held_back and new.submission_id is not null) execute function hold_version();

create function note_due() returns trigger language plpgsql as $$
begin
  insert into due_papers (blob_id) values (new.blob_id)
  on conflict (blob_id) do update set due_at = excluded.due_at;
  return null;
end $$;
create trigger held_papers_due after insert or update of cause, held_at on held_papers
  for each row when (new.cause = 'reading') execute function note_due();

create function note_read() returns trigger language plpgsql as $$
begin
  insert into due_papers (blob_id)
  select held_papers.blob_id from blobs join held_papers on held_papers.blob_id = blobs.id and held_papers.cause = 'reading'
  where blobs.sha256 = new.sha256 and blobs.state = 'stored' order by 1
  on conflict (blob_id) do update set due_at = excluded.due_at;
  return null;
end $$;
-- judged: trigger texts.texts_due: changes nothing that the last release reads
create trigger texts_due after update of state, scanned_to, is_scan_wanted on texts for each row
  when ((old.state, old.scanned_to, old.is_scan_wanted) is distinct from (new.state, new.scanned_to, new.is_scan_wanted))
  execute function note_read();
