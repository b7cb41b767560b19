-- Somebody else than the one who uploaded approves what is published, if the office wants it so.
alter table office add needs_approval boolean not null default false;

alter table releases
  -- Since when it waits for approval.
  add asked_at timestamptz,
  add approved_at timestamptz,
  add approved_by bigint references users,
  -- Why it was last rejected, until it is published or planned.
  add rejected_at timestamptz,
  add rejected_by bigint references users,
  add rejection text collate "C" not null default '',
  add check (state <> 'waiting' or asked_at is not null);
create index releases_waiting on releases (asked_at) where state = 'waiting';
