-- The bytes of every document. A row is 'pending' before its first byte is written, so that what a crash
-- leaves behind is found here and not by listing the store.
create table blobs (
  id bigint generated always as identity primary key,
  key text collate "C" not null unique,
  state text collate "C" not null default 'pending' check (state in ('pending', 'stored', 'removing')),
  size bigint check (size >= 0),
  sha256 text collate "C" check (sha256 ~ '^[0-9a-f]{64}$'),
  type text collate "C",
  created_at timestamptz not null default now(),
  check (state <> 'stored' or (size is not null and sha256 is not null and type is not null))
);

-- Nearly every blob is stored; only the others are ever looked for by state.
create index blobs_unsettled on blobs (state, created_at) where state <> 'stored';
