-- Who did what, when, on which ids. Ids, not names: a name that changes is looked up where the entry is shown.
create table log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  act text collate "C" not null,
  user_id bigint references users,
  address inet,
  -- The person whom the act concerned, when it is not the one who did it.
  subject_user_id bigint references users
);
create index log_user on log (user_id, id);
create index log_subject_user on log (subject_user_id, id);
create index log_address_at on log (at) where address is not null;
