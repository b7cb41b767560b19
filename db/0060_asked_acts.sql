-- An act that would let somebody outside the office see more, and waits for a colleague's approval. It is carried out from
-- its parameters when it is approved.
create table asked_acts (
  id uuid primary key,
  kind text collate "C" not null,
  -- Empty once it is answered.
  params jsonb not null,
  -- What it is, in words, and how many people outside the office would see more.
  says text collate "C" not null,
  reached integer not null,
  -- The files that it is about, so that their rows can say that it waits.
  files bigint[] not null default '{}',
  asked_by bigint not null references users on delete cascade,
  asked_at timestamptz not null default now(),
  state text collate "C" not null default 'waiting' check (state in ('waiting', 'approved', 'rejected', 'taken-back')),
  answered_by bigint references users on delete set null,
  answered_at timestamptz,
  answer text collate "C" not null default '',
  check ((state = 'waiting') = (answered_at is null))
);
create index asked_acts_waiting on asked_acts (asked_at) where state = 'waiting';
create index asked_acts_by on asked_acts (asked_by, asked_at);
create index asked_acts_files on asked_acts using gin (files) where state = 'waiting';

-- judged: constraint releases.releases_asked_by_fkey: the last release never writes this column
alter table releases
  -- Who asked for approval, if not the one who uploaded: somebody else may have moved or replaced the files since.
  add asked_by bigint references users on delete set null,
  -- Which bytes, folders and readers a plan was made or approved for. Null for a plan from before approval was wanted.
  add planned_for jsonb;
