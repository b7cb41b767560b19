-- What the law, the articles or the office itself demands of projects, as data with days: an administrator changes it.
create table obligations (
  id bigint generated always as identity primary key,
  -- The name that an obligation of ours keeps; null for one of the office's own.
  code text collate "C" unique check (code <> ''),
  title text collate danish not null check (title <> '' and char_length(title) <= 100),
  explanation text collate "C" not null default '' check (char_length(explanation) <= 2000),
  -- The law, and where to read it.
  source text collate "C" not null default '' check (char_length(source) <= 200),
  source_url text collate "C" not null default '' check (char_length(source_url) <= 500),
  rhythm text collate "C" not null default 'year' check (rhythm in ('year', 'half', 'quarter')),
  -- It holds for periods that end between these two days.
  holds_since date,
  holds_until date,
  -- Only last days from this one on are watched: an office that begins with Ringbind is not late with old years.
  watched_from date not null default current_date,
  -- Months after the period, a day of the next calendar year, or one day only.
  due_rule text collate "C" not null check (due_rule in ('months', 'day', 'date')),
  due_months smallint not null default 6 check (due_months between 0 and 60),
  due_day smallint not null default 1 check (due_day between 1 and 31),
  due_month smallint not null default 1 check (due_month between 1 and 12),
  due_on date,
  -- Binds every project that fits, or only those that are chosen.
  reach text collate "C" not null default 'fitting' check (reach in ('fitting', 'chosen')),
  statuses text[] collate "C" not null default '{active,closing}' check (statuses <@ '{active,closing,sold}'),
  more_than integer check (more_than between 0 and 10000),
  -- The paper in the project's folder of this name fulfils it; '' if somebody must say so.
  folder_name text collate danish not null default '' check (char_length(folder_name) <= 100),
  responsible_id bigint references users,
  remind_days smallint[] not null default '{30,7,1}',
  is_active boolean not null default true,
  version integer not null default 1,
  check (holds_until >= holds_since),
  check (due_rule <> 'date' or due_on is not null)
);

-- Projects that an obligation binds, or does not, whatever else it says.
create table obligation_choices (
  obligation_id bigint not null references obligations on delete cascade,
  project_id bigint not null references projects on delete cascade,
  is_bound boolean not null,
  primary key (obligation_id, project_id)
);
create index obligation_choices_project on obligation_choices (project_id);

-- One thing that must be done by a day: an obligation of a project for a period.
create table duties (
  id bigint generated always as identity primary key,
  obligation_id bigint not null references obligations on delete cascade,
  project_id bigint not null references projects on delete cascade,
  period text collate "C" not null check (period ~ '^\d{4}(-(H[12]|Q[1-4]|O))?$'),
  starts_on date not null,
  ends_on date not null,
  -- The last day, also if it is a day off.
  due_on date not null,
  -- The folder whose paper of the period fulfils it.
  folder_id bigint references folders on delete set null,
  responsible_id bigint references users,
  -- Chosen for this one: the obligation's own does not replace it.
  is_responsible_given boolean not null default false,
  done_at timestamptz,
  -- Null if a paper did it.
  done_by bigint references users,
  note text collate "C" not null default '' check (char_length(note) <= 500),
  is_by_paper boolean not null default false,
  -- The day on which the responsible was last told of it.
  told_on date,
  unique (obligation_id, project_id, period),
  check (not is_by_paper or done_at is not null and done_by is null)
);
create index duties_open on duties (due_on, id) where done_at is null;
create index duties_done on duties (done_at desc, id) where done_at is not null;
create index duties_project on duties (project_id);
create index duties_folder on duties (folder_id, period) where folder_id is not null;
create index duties_responsible on duties (responsible_id, due_on) where done_at is null;

-- A paper that is there, and shown, fulfils the duty of its period; when it goes, the duty is open again.
create function settle_duties() returns trigger language plpgsql as $$
declare
  cell year_cells := coalesce(new, old);
  is_there boolean := tg_op <> 'DELETE' and cell.shown_count > 0;
begin
  if is_there then
    update duties set done_at = now(), is_by_paper = true
      where folder_id = cell.folder_id and period = cell.period and done_at is null;
  else
    update duties set done_at = null, is_by_paper = false
      where folder_id = cell.folder_id and period = cell.period and is_by_paper;
  end if;
  return null;
end $$;
create trigger year_cells_settle_added after insert on year_cells
  for each row when (new.shown_count > 0) execute function settle_duties();
create trigger year_cells_settle_changed after update of shown_count on year_cells
  for each row when ((old.shown_count > 0) <> (new.shown_count > 0)) execute function settle_duties();
create trigger year_cells_settle_removed after delete on year_cells
  for each row when (old.shown_count > 0) execute function settle_duties();

-- Projects whose duties must be looked at again. Without a key, so that nobody waits for another here.
create table stale_duties (project_id bigint not null);
insert into stale_duties select id from projects;

create function want_duties() returns trigger language plpgsql as $$
declare
  project bigint := case tg_table_name when 'projects' then (to_jsonb(coalesce(new, old)) ->> 'id')::bigint
    else (to_jsonb(coalesce(new, old)) ->> 'project_id')::bigint end;
begin
  if project is not null then
    insert into stale_duties values (project);
  end if;
  return null;
end $$;
create trigger projects_duties after insert or update of status, year_ends, held_from, sold_on on projects
  for each row execute function want_duties();
create trigger accounting_year_changes_duties after insert or update or delete on accounting_year_changes
  for each row execute function want_duties();
create trigger project_members_duties after insert or delete on project_members
  for each row execute function want_duties();
create trigger folders_duties after insert or delete or update of name, project_id on folders
  for each row execute function want_duties();

-- Investors are counted by project.
create function want_duties_of_person() returns trigger language plpgsql as $$
begin
  insert into stale_duties select project_id from project_members where user_id = new.id;
  return null;
end $$;
create trigger users_duties after update of role, deactivated_at on users
  for each row when (old.role <> new.role or old.deactivated_at is distinct from new.deactivated_at)
  execute function want_duties_of_person();

-- One mail a day to each.
create table duty_mails (
  user_id bigint not null references users on delete cascade,
  day date not null,
  primary key (user_id, day)
);

-- A person's secret address for their calendar. The secret itself is kept nowhere.
create table calendar_feeds (
  user_id bigint primary key references users on delete cascade,
  hash bytea not null unique,
  created_at timestamptz not null default now(),
  -- When a calendar last fetched it.
  read_at timestamptz
);
