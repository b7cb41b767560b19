-- How much of a file that comes in pieces is on the disk for certain: written after it was synced, and never taken from the
-- file's size, which after a power cut can be more than was ever written.
alter table temporary_files
  add acknowledged bigint not null default 0 check (acknowledged >= 0),
  -- Which call writes to it; one that was overtaken by another acknowledges nothing.
  add writer text collate "C";

-- The sums that a sender gave with its pieces, until the whole has been compared with them.
create table upload_pieces (
  hash_name text collate "C" not null references temporary_files on delete cascade,
  first bigint not null check (first >= 0),
  size bigint not null check (size > 0),
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  primary key (hash_name, first)
);
