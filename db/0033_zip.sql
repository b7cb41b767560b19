-- A ZIP archive names the CRC-32 of each file before its bytes. A job finds it for blobs that were stored before this.
alter table blobs add crc32 bigint check (crc32 between 0 and 4294967295);
create index blobs_without_crc32 on blobs (id) where state = 'stored' and crc32 is null;

-- The files of an archive: those that somebody picked, or those that a large download began with, so that it can go on.
create table zip_selections (
  id uuid not null,
  user_id bigint not null references users on delete cascade,
  file_ids bigint[] not null,
  made_at timestamptz not null default now(),
  primary key (user_id, id)
);
create index zip_selections_made on zip_selections (made_at);
