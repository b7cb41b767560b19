-- Which Ringbind this is: the same id is in DATA_DIR and in the bucket, so that a start with somebody else's stops.
create table installation (
  id uuid primary key,
  -- One row.
  is_only boolean not null default true unique check (is_only),
  -- The data directory that has files on its disk, or takes them, and where it was last seen; none when all are in a bucket.
  directory uuid,
  directory_at text
);

-- Written when somebody asks whether Ringbind is ready: a database that answers may still be unable to write.
create table write_probe (
  is_only boolean primary key default true check (is_only),
  at timestamptz not null
);
