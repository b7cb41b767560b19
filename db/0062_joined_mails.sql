-- When the last mail of a kind went to an address, and the one that waits because that was a moment ago. It tells of all
-- that has happened since.
create table joined_mails (
  address text collate "C" not null,
  cause text collate "C" not null,
  left_at timestamptz not null default now(),
  -- How many acts the mail that waits tells of.
  times integer not null default 0 check (times >= 0),
  mail jsonb,
  causer bigint,
  primary key (address, cause)
);
create index joined_mails_waiting on joined_mails (left_at) where mail is not null;
