-- What is wrong with the installation right now, for the office to read on its start page. One row per kind.
create table notices (
  kind text collate "C" primary key,
  detail jsonb not null default '{}',
  since timestamptz not null default now(),
  -- When it was last seen to be so.
  seen_at timestamptz not null default now()
);
