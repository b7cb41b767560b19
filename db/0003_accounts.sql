create table users (
  id bigint generated always as identity primary key,
  name text collate danish not null check (name <> ''),
  email text collate "C" not null,
  -- The address as it is compared: composed, lower case. Made by the app, so that every server agrees.
  email_key text collate "C" not null unique,
  role text collate "C" not null check (role in ('administrator', 'employee', 'auditor', 'investor')),
  -- Null until an invitation is accepted.
  password_hash text collate "C",
  deactivated_at timestamptz,
  created_at timestamptz not null default now()
);

-- What an investor's files are named after; one person may have several.
create table user_numbers (
  number text collate "C" primary key,
  user_id bigint not null references users
);
create index user_numbers_user on user_numbers (user_id);

-- Only hashes: who reads the database can sign in as nobody.
create table sessions (
  hash bytea primary key,
  user_id bigint not null references users,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  -- The browser's own words, to recognise it by.
  device text collate "C" not null
);
create index sessions_user on sessions (user_id);
create index sessions_used on sessions (used_at);

-- Links of one use: setup, a new password, an invitation.
create table link_tokens (
  hash bytea primary key,
  kind text collate "C" not null check (kind in ('setup', 'reset', 'invitation')),
  user_id bigint references users,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check ((kind = 'setup') = (user_id is null))
);
create index link_tokens_user on link_tokens (user_id);
create index link_tokens_expires on link_tokens (expires_at);

-- Wrong passwords of the last while, by whom they were tried for and from where.
create table sign_in_failures (
  id bigint generated always as identity primary key,
  subject text collate "C" not null,
  at timestamptz not null default now()
);
create index sign_in_failures_subject on sign_in_failures (subject, at);
create index sign_in_failures_at on sign_in_failures (at);

-- What signs anti-forgery tokens and device cookies; the same for every instance.
create table secrets (
  name text collate "C" primary key,
  value bytea not null
);
