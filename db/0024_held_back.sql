-- The office alone sees what is held back: a draft, or what was recalled.
alter table files
  add is_held_back boolean not null default false,
  -- When it was published, if it had been held back.
  add released_at timestamptz;

-- What everybody who sees a folder may know of it. `files_count` and `changed_at` count what is held back too.
alter table folders
  add shown_count integer not null default 0 check (shown_count >= 0),
  add shown_changed_at timestamptz not null default now();
update folders set shown_count = files_count, shown_changed_at = changed_at;

create or replace function count_files() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update folders set files_count = files_count + counted.files, changed_at = greatest(changed_at, now()),
      shown_count = shown_count + counted.shown,
      shown_changed_at = case when counted.shown = 0 then shown_changed_at else greatest(shown_changed_at, now()) end
    from (
      select folder_id, count(*) as files, count(*) filter (where not is_held_back) as shown
      from now_there where deleted_at is null group by folder_id
    ) as counted
    where folders.id = counted.folder_id;
  elsif tg_op = 'DELETE' then
    update folders set files_count = files_count - counted.files, changed_at = greatest(changed_at, now()),
      shown_count = shown_count - counted.shown,
      shown_changed_at = case when counted.shown = 0 then shown_changed_at else greatest(shown_changed_at, now()) end
    from (
      select folder_id, count(*) as files, count(*) filter (where not is_held_back) as shown
      from was_there where deleted_at is null group by folder_id
    ) as counted
    where folders.id = counted.folder_id;
  else
    update folders set files_count = files_count + counted.files, changed_at = greatest(changed_at, now()),
      shown_count = shown_count + counted.shown,
      shown_changed_at = case when counted.shown = 0 then shown_changed_at else greatest(shown_changed_at, now()) end
    from (
      select folder_id, sum(file) as files, sum(shown) as shown from (
        select folder_id, 1 as file, (not is_held_back)::integer as shown from now_there where deleted_at is null
        union all select folder_id, -1, -(not is_held_back)::integer from was_there where deleted_at is null
      ) as each group by folder_id having sum(file) <> 0 or sum(shown) <> 0
    ) as counted
    where folders.id = counted.folder_id;
  end if;
  return null;
end $$;

-- Only for those outside the office: nothing is new to the office.
drop index files_shown;
create index files_shown on files (folder_id, shown_at) include (id, uploaded_by, created_at, released_at)
  where deleted_at is null and not is_held_back;
