-- Whom somebody is at another place where they may sign in: a MitID broker, Entra. Nothing else of what it tells is kept.
create table identities (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  issuer text collate "C" not null check (length(issuer) between 1 and 500),
  subject text collate "C" not null check (length(subject) between 1 and 255),
  linked_at timestamptz not null default now(),
  used_at timestamptz,
  unique (issuer, subject)
);
create index identities_user on identities (user_id);

-- Sign-ins that have begun at such a place and not come back. The cookie's secret is kept as its hash; it makes the rest. They
-- live for ten minutes, so a crash may lose them, and copies leave them out.
create unlogged table provider_attempts (
  hash bytea primary key,
  provider text collate "C" not null,
  purpose text collate "C" not null check (purpose in ('sign-in', 'link', 'proof', 'invitation')),
  -- Whose session a link or a proof was begun in, or whom an invitation is for.
  user_id bigint references users,
  session_hash bytea,
  next text collate "C" not null check (length(next) <= 2000),
  created_at timestamptz not null default now(),
  check ((purpose = 'sign-in') = (user_id is null)),
  check ((purpose in ('link', 'proof')) = (session_hash is not null))
);
create index provider_attempts_created on provider_attempts (created_at);

-- Kept beside the password, so that whoever asks for the two of thousands of people reads one row of each.
alter table users add has_identity boolean not null default false;

create function keep_identities() returns trigger language plpgsql as $$
declare
  person bigint := case when tg_op = 'DELETE' then old.user_id else new.user_id end;
begin
  update users set has_identity = exists (select from identities where user_id = person) where id = person;
  perform note_changes(' users m' || person);
  return null;
end $$;
create trigger identities_keep after insert or delete on identities
  for each row execute function keep_identities();

-- Whether a person has accepted their invitation: they have a password, or an identity to sign in with. PostgreSQL writes it
-- into the query that calls it.
create function has_way_in(person users) returns boolean immutable parallel safe language sql
  return person.password_hash is not null or person.has_identity;
