-- What is wrong with the installation, or was. Administrators are told once by mail; the status page also says what ended.
create table troubles (
  kind text collate "C" not null,
  -- Names the instance of a trouble that each has for itself, as its disk. Else empty.
  place text collate "C" not null default '',
  detail jsonb not null,
  since timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  ended_at timestamptz,
  told_at timestamptz,
  primary key (kind, place)
);

-- How the scheduled copies are going. No row where none are made.
create table copy_state (
  is_only boolean primary key default true check (is_only),
  -- Since when copies are to be made.
  since timestamptz not null default now(),
  -- Null if the last copy was made and has no faults.
  failed_at timestamptz,
  reason text collate "C",
  check ((failed_at is null) = (reason is null))
);

-- A mail has been sent since this one failed: the mail server works, and the fault is the mail's own.
alter table failed_mails add is_past boolean not null default false;

-- The same function with its body as a string: newer PostgreSQLs (17.12) refuse a column with a default on a table whose rows a parsed
-- body uses. PostgreSQL still writes it into the query that calls it.
-- judged: function has_way_in(users): says the same
create or replace function has_way_in(person users) returns boolean immutable parallel safe language sql
as $$ select person.password_hash is not null or person.has_identity $$;

alter table users add told_of_troubles boolean not null default true;
