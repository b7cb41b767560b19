-- Mails that have not left, after several tries or for good, until one to the same person does.
create table failed_mails (
  job_id uuid primary key,
  user_id bigint references users,
  at timestamptz not null default now(),
  -- Nobody tries again.
  is_final boolean not null
);
create index failed_mails_user on failed_mails (user_id);
