-- The searches that people of the office have saved, each for themselves.
create table saved_searches (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  name text collate danish not null,
  -- As in the address of the page, '?q=budget&year=2025', always written in the same way.
  query text collate "C" not null,
  created_at timestamptz not null default now(),
  unique (user_id, query)
);
