-- A second factor: an app that shows codes, passkeys, and codes for the day when both are lost.
create table code_apps (
  user_id bigint primary key references users,
  secret bytea not null,
  -- The last half minute whose code was used. No code is accepted twice.
  last_step bigint not null,
  added_at timestamptz not null default now()
);

create table passkeys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  -- The authenticator's own name of it.
  credential bytea not null unique check (octet_length(credential) <= 1023),
  public_key bytea not null check (octet_length(public_key) <= 4096),
  -- How often it was used by the authenticator's count; 0 for those that do not count.
  counter bigint not null,
  transports text[] not null,
  name text collate danish not null check (name <> ''),
  added_at timestamptz not null default now(),
  used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

create table recovery_codes (
  hash bytea primary key,
  user_id bigint not null references users
);
create index recovery_codes_user on recovery_codes (user_id);

-- Questions that a passkey has answered. None is answered twice.
create table answered_challenges (
  hash bytea primary key,
  at timestamptz not null default now()
);
create index answered_challenges_at on answered_challenges (at);

-- Which roles must have a second factor, and from when.
create table factor_demands (
  role text collate "C" primary key,
  starts_at timestamptz not null
);

-- Kept here, because it is asked with every page.
alter table users
  add has_factor boolean not null default false,
  -- Counts changes, so that the secret of a new app is never one that was shown before.
  add factor_changes integer not null default 0;
create function keep_has_factor() returns trigger language plpgsql as $$
declare
  person bigint := case when tg_op = 'DELETE' then old.user_id else new.user_id end;
begin
  update users set factor_changes = factor_changes + 1, has_factor = exists (select from code_apps where user_id = person)
    or exists (select from passkeys where user_id = person)
  where id = person;
  return null;
end $$;
create trigger code_apps_kept after insert or delete on code_apps for each row execute function keep_has_factor();
create trigger passkeys_kept after insert or delete on passkeys for each row execute function keep_has_factor();

-- A link from the server's keeper lets in somebody who has lost their second factor.
alter table link_tokens add removes_factors boolean not null default false;
