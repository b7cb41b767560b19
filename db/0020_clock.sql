-- When the clock was last looked at, and since when it is doubted: nothing is deleted by a clock that has jumped.
create table clock (
  is_only boolean primary key default true check (is_only),
  seen_at timestamptz not null,
  -- Where a clock that had not jumped would stand; null: it is trusted.
  expected_at timestamptz,
  -- How long the computer has been seen to run since then.
  doubted_seconds double precision not null default 0
);

-- The last time of each repeated job that was asked for, so that one that was slept over is made up for.
create table schedules (
  name text collate "C" primary key,
  cron text collate "C" not null,
  last_due timestamptz
);
