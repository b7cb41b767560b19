-- The bucket that has bytes of ours, so that a start that was not told of it stops instead of finding no papers.
create table stores (
  bucket text collate "C" primary key,
  -- Whether new bytes went there at the last start: one that takes none can be emptied, and forgotten.
  takes_new boolean not null,
  used_since timestamptz not null default now()
);
