-- API keys: with one, a program acts as a person, within the person's own rights and the key's scopes.
create table tokens (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  name text collate danish not null check (name <> ''),
  -- Of the secret, which is kept nowhere. Null some time after the key has ended.
  hash bytea unique check (octet_length(hash) = 32),
  -- How the secret begins, to recognise it by.
  prefix text collate "C" not null,
  scopes text[] collate "C" not null
    check (cardinality(scopes) between 1 and 3 and scopes <@ array['read', 'upload', 'manage'] collate "C"),
  -- The browser's own words, where it was made.
  device text collate "C" not null,
  -- Whether it was made in a session that was proved with a second factor, or in a way that needs none.
  is_strong boolean not null default false,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Written once a minute at most.
  used_at timestamptz,
  revoked_at timestamptz
);
create index tokens_user on tokens (user_id);

-- The key with which something was done; for acts on a key, the key itself.
alter table log add token_id bigint references tokens;
