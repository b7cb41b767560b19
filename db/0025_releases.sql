-- What one saved upload form of the office shows to others: its files are those of the submission.
create table releases (
  id bigint generated always as identity primary key,
  submission_id bigint not null unique references submissions,
  made_by bigint not null references users,
  made_at timestamptz not null default now(),
  -- In every state but 'published' its files are held back.
  state text collate "C" not null check (state in ('draft', 'planned', 'waiting', 'published', 'recalled')),
  publish_at timestamptz,
  planned_by bigint references users,
  published_at timestamptz,
  published_by bigint references users,
  -- How many people outside the office could see some of it when it was published.
  reached integer check (reached >= 0),
  recalled_at timestamptz,
  recalled_by bigint references users,
  check (state <> 'planned' or publish_at is not null),
  check (state not in ('published', 'recalled') or published_at is not null),
  check (state <> 'recalled' or recalled_at is not null)
);
create index releases_made on releases (made_at desc, id desc);
create index releases_planned on releases (publish_at) where state = 'planned';
