-- Who is told of a published release by mail. Found when the time for regret has passed, with the rights of that moment.
alter table releases add announced_at timestamptz;
update releases set announced_at = published_at where published_at is not null;
create index releases_unannounced on releases (published_at) where state = 'published' and announced_at is null;

create table release_people (
  release_id bigint not null references releases on delete cascade,
  user_id bigint not null references users on delete cascade,
  is_reminder boolean not null default false,
  -- The mail that tells them: the id of its job, and its Message-ID. Several releases may share one.
  mail_id uuid,
  -- Null while they wait. 'nothing': they see none of it any more. 'declined': they want no mails.
  outcome text collate "C" check (outcome in ('sent', 'nothing', 'declined', 'failed')),
  told_at timestamptz,
  primary key (release_id, user_id)
);
create index release_people_waiting on release_people (user_id) where outcome is null and mail_id is null;
create index release_people_mail on release_people (mail_id) where outcome is null and mail_id is not null;

-- How often a person wants mails about new files.
alter table users add mail_rate text collate "C" not null default 'at-once'
  check (mail_rate in ('at-once', 'daily', 'weekly', 'never'));
