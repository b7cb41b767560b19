-- What is new to somebody: what they could not see before, and have not opened.
alter table files
  -- Since when investors can see it, as far as its folder lets them.
  add shown_at timestamptz not null default now(),
  -- Sent by the investor whose folder it was put into.
  add from_investor boolean not null default false;
update files set shown_at = files.created_at, from_investor = folders.user_id is not distinct from files.uploaded_by
    and files.uploaded_by is not null
  from folders where folders.id = files.folder_id;
-- With all that is asked of a file that has not been read, so that counting many of them reads no more than this.
create index files_shown on files (folder_id, shown_at) include (id, uploaded_by, created_at) where deleted_at is null;
create index files_from_investor on files (created_at, id) where from_investor and deleted_at is null;

-- When investors were let in, if it was after the folder was made.
alter table folders add shared_at timestamptz;

-- Who has opened or downloaded what.
create table file_reads (
  user_id bigint not null,
  file_id bigint not null,
  at timestamptz not null default now()
);
insert into file_reads (user_id, file_id, at)
  select log.user_id, log.file_id, min(log.at) from log join files on files.id = log.file_id
  where log.act in ('file-opened', 'file-downloaded') and log.user_id is not null group by log.user_id, log.file_id;
-- Only now: to check each row while it is written takes much longer.
alter table file_reads
  add primary key (user_id, file_id),
  add foreign key (user_id) references users,
  add foreign key (file_id) references files on delete cascade;
create index file_reads_file on file_reads (file_id);

-- Until when somebody has called everything read.
alter table project_members add seen_at timestamptz;
alter table users add files_seen_at timestamptz;
-- Whoever is here already does not find all of the past unread.
update project_members set seen_at = now();
update users set files_seen_at = now();
