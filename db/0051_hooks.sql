-- Other programs that are told what happens in the office.
create table hooks (
  id bigint generated always as identity primary key,
  name text collate danish not null check (name <> '' and char_length(name) <= 100),
  url text collate "C" not null check (url <> '' and char_length(url) <= 1000),
  events text[] collate "C" not null check (cardinality(events) between 1 and 50),
  -- Signs what is sent. An old one still signs for a day after another took its place, so that the receiver can change over.
  secret text collate "C" not null,
  old_secret text collate "C",
  old_secret_until timestamptz,
  -- Why Ringbind itself switched it off; null if it did not.
  stopped_because text collate "C" check (stopped_because in ('failed', 'gone')),
  tested_at timestamptz,
  created_at timestamptz not null default now(),
  version integer not null default 1
);

-- Those that are switched on, at this place: a copy leaves it out, so that a copy that is restored elsewhere tells nobody.
create table running_hooks (
  hook_id bigint primary key references hooks on delete cascade,
  -- When a try first failed after the last one that succeeded.
  failing_since timestamptz,
  -- The receiver is unwell: nothing is sent before this.
  wait_until timestamptz,
  -- Somebody is sending. If they die, others go on after this.
  held_until timestamptz
);

-- Which acts of the log are which events: `ACT_EVENTS` in src/programs/hooks/event.ts.
create table hook_acts (
  act text collate "C" not null,
  event text collate "C" not null,
  primary key (act, event)
);
insert into hook_acts (act, event) values
  ('file-added', 'file.added'),
  ('file-added', 'inbox.received'),
  ('file-imported', 'file.added'),
  ('file-import-undone', 'file.deleted'),
  ('file-replaced', 'file.changed'),
  ('version-restored', 'file.changed'),
  ('file-moved', 'file.changed'),
  ('file-renamed', 'file.changed'),
  ('file-period-changed', 'file.changed'),
  ('file-deleted', 'file.deleted'),
  ('file-restored', 'file.restored'),
  ('file-removed', 'file.removed'),
  ('file-published', 'file.published'),
  ('file-recalled', 'file.recalled'),
  ('project-added', 'project.added'),
  ('project-changed', 'project.changed'),
  ('project-years-changed', 'project.changed'),
  ('member-added', 'project.changed'),
  ('member-removed', 'project.changed'),
  ('folder-added', 'project.changed'),
  ('folder-changed', 'project.changed'),
  ('folder-shared', 'project.changed'),
  ('folder-unshared', 'project.changed'),
  ('folder-removed', 'project.changed'),
  ('user-added', 'person.added'),
  ('user-changed', 'person.changed'),
  ('role-changed', 'person.changed'),
  ('user-deactivated', 'person.changed'),
  ('user-reactivated', 'person.changed'),
  ('profile-changed', 'person.changed');

-- What is to be told, written in the act's own transaction. It has no keys to other tables: no act waits for a hook, or
-- fails because one is being deleted.
create table hook_queue (
  id bigint generated always as identity primary key,
  hook_id bigint not null,
  log_id bigint not null,
  event text collate "C" not null
);
create index hook_queue_hook on hook_queue (hook_id, id);

create function queue_for_hooks() returns trigger language plpgsql as $$
begin
  if exists (select from running_hooks) then
    -- Which acts are wanted is found once, not for each of thousands of entries.
    insert into hook_queue (hook_id, log_id, event)
    with wanted as materialized (
      select hooks.id, hook_acts.act, hook_acts.event
      from running_hooks join hooks on hooks.id = running_hooks.hook_id
      join hook_acts on hook_acts.event = any (hooks.events)
      where hook_acts.act = any (array(select distinct act from added))
    )
    select wanted.id, added.id, wanted.event
    from added join wanted on wanted.act = added.act
    -- The template's folders are no project's.
    where (wanted.event <> 'project.changed' or added.project_id is not null)
      and (wanted.event <> 'inbox.received'
        or exists (select from files where files.id = added.file_id and files.from_investor))
    order by added.id;
  end if;
  return null;
end $$;
create trigger log_hooks after insert on log
  referencing new table as added for each statement execute function queue_for_hooks();

-- One message to a receiver, and what came of it.
create table hook_deliveries (
  id bigint generated always as identity primary key,
  hook_id bigint not null references hooks on delete cascade,
  -- The same at every try, so that the receiver knows a message that it has already got.
  message_id uuid not null unique default gen_random_uuid(),
  event text collate "C" not null,
  items_count integer not null,
  payload text collate "C" not null,
  state text collate "C" not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  created_at timestamptz not null default now(),
  tries integer not null default 0,
  -- When it is tried, if it is waiting.
  next_at timestamptz not null default now(),
  first_tried_at timestamptz,
  tried_at timestamptz,
  -- Of the last try: the status of the answer, or why there was none; the answer's beginning, and how long it took.
  status integer,
  fault text collate "C",
  answer text collate "C" not null default '' check (char_length(answer) <= 500),
  took_ms integer
);
create index hook_deliveries_hook on hook_deliveries (hook_id, id desc);
create index hook_deliveries_waiting on hook_deliveries (hook_id, id) where state = 'waiting';
