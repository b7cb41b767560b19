-- Stored bytes that were found missing or other than they were, until they are right again or gone.
create table damaged_blobs (
  blob_id bigint primary key references blobs on delete cascade,
  fault text not null,
  since timestamptz not null default now()
);

-- How far the nightly reading of stored bytes has come; it goes round, so that each is read when all others have been.
create table byte_checks (
  is_only boolean primary key default true check (is_only),
  last_id bigint not null
);
