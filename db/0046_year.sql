-- Which papers are expected of which periods, and what is there. A period is '2025', '2025-Q3', '2025-H1', or '2025-O' for the
-- short year of a changed accounting year; it belongs to the year in which its accounting year ends.

alter table projects
  -- The last month of its accounting years, before any change.
  add year_ends smallint not null default 12 check (year_ends between 1 and 12),
  -- Papers are expected of periods with a day between these two.
  add held_from date,
  add sold_on date,
  add check (sold_on >= held_from);

-- Accounting years that begin on the day or later end with another month.
create table accounting_year_changes (
  project_id bigint not null references projects on delete cascade,
  since date not null,
  year_ends smallint not null check (year_ends between 1 and 12),
  primary key (project_id, since)
);

alter table folders
  add expects text collate "C" not null default 'none' check (expects in ('none', 'year', 'half', 'quarter')),
  -- The first and the last period that is expected; null without an end.
  add expects_from text collate "C" check (expects_from ~ '^\d{4}(-(H[12]|Q[1-4]|O))?$'),
  add expects_to text collate "C" check (expects_to ~ '^\d{4}(-(H[12]|Q[1-4]|O))?$'),
  -- So many months after its period a paper is late.
  add due_months smallint not null default 6 check (due_months between 0 and 60);

alter table files
  -- Picked out of the name, or given by hand. Files of earlier versions get theirs by a job.
  add period text collate "C" check (period ~ '^\d{4}(-(H[12]|Q[1-4]|O))?$'),
  add is_period_given boolean not null default false;
-- What new projects expect. The folders of projects that are there already expect nothing until somebody says so.
update folders set expects = wanted.expects, due_months = wanted.due_months
from (values ('Årsrapport', 'year', 6), ('Kvartalsrapport', 'quarter', 2), ('Budget', 'year', 0),
  ('Generalforsamling', 'year', 6), ('Skatteoplysninger', 'year', 4)) as wanted (name, expects, due_months)
where folders.name = wanted.name and project_id is null and user_id is null;
-- Settled now: a restore runs later migrations in the same transaction, and they may alter the table.
set constraints folders_place, folders_tell immediate;
set constraints folders_place, folders_tell deferred;

create index files_period on files (folder_id, period) include (id) where deleted_at is null;
create index files_without_period on files (id) where period is null and year is not null and not is_period_given;

-- A folder's period: expected, or with files. Kept as things change, so that nothing has to be counted when it is shown.
create table year_cells (
  folder_id bigint not null references folders on delete cascade,
  period text collate "C" not null check (period ~ '^\d{4}(-(H[12]|Q[1-4]|O))?$'),
  project_id bigint not null references projects on delete cascade,
  -- Days of the period, and the last day on which its paper is in time. Null where none is expected.
  starts_on date,
  ends_on date,
  due_on date,
  -- Live files, and those of them that are not held back.
  files_count integer not null default 0 check (files_count >= 0),
  shown_count integer not null default 0 check (shown_count between 0 and files_count),
  -- Why no paper will come.
  excuse text check (excuse <> '' and char_length(excuse) <= 500),
  excused_by bigint references users,
  excused_at timestamptz,
  primary key (folder_id, period),
  check ((starts_on is null) = (due_on is null) and (ends_on is null) = (due_on is null)),
  check ((excuse is null) = (excused_at is null))
);
create index year_cells_project on year_cells (project_id);
create index year_cells_period on year_cells (period) include (folder_id, project_id, due_on, files_count, shown_count);
create index year_cells_open on year_cells (due_on)
  where due_on is not null and files_count = 0 and excuse is null;

-- A corrected period can be taken back.
alter table undos drop constraint undos_kind_check,
  add constraint undos_kind_check check (kind in ('move', 'order', 'delete', 'restore', 'rename', 'period'));

create type cell_change as (folder_id bigint, period text, files bigint, shown bigint);

create function change_cells(changes cell_change[]) returns void language sql as $$
  insert into year_cells (folder_id, period, project_id)
    select change.folder_id, change.period, folders.project_id
    from unnest(changes) as change join folders on folders.id = change.folder_id and folders.project_id is not null
    where change.files > 0 order by 1, 2
    on conflict do nothing;
  update year_cells set files_count = files_count + change.files, shown_count = shown_count + change.shown
    from unnest(changes) as change
    where year_cells.folder_id = change.folder_id and year_cells.period = change.period;
$$;

-- Counts files by period, like count_files by folder, under the same lock of the folder. Cells of nothing stay until the
-- expectations of their project are looked at again.
create function count_periods() returns trigger language plpgsql as $$
declare
  changes cell_change[];
begin
  if tg_op = 'INSERT' then
    changes := array(select row(folder_id, period, count(*), count(*) filter (where not is_held_back))::cell_change
      from now_there where deleted_at is null and period is not null group by folder_id, period);
  elsif tg_op = 'DELETE' then
    changes := array(select row(folder_id, period, -count(*), -count(*) filter (where not is_held_back))::cell_change
      from was_there where deleted_at is null and period is not null group by folder_id, period);
  else
    changes := array(select row(folder_id, period, sum(file), sum(shown))::cell_change from (
        select folder_id, period, 1 as file, (not is_held_back)::integer as shown from now_there
          where deleted_at is null and period is not null
        union all select folder_id, period, -1, -(not is_held_back)::integer from was_there
          where deleted_at is null and period is not null
      ) as each group by folder_id, period having sum(file) <> 0 or sum(shown) <> 0);
  end if;
  -- Most changes are of the order.
  if cardinality(changes) > 0 then perform change_cells(changes); end if;
  return null;
end $$;

-- After the counting by folder, whose lock holds: triggers run by name.
create trigger files_periods_added after insert on files
  referencing new table as now_there for each statement execute function count_periods();
create trigger files_periods_changed after update on files
  referencing old table as was_there new table as now_there for each statement execute function count_periods();
create trigger files_periods_removed after delete on files
  referencing old table as was_there for each statement execute function count_periods();
