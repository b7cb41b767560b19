-- The year of a file is that of its period, in which its accounting year ends. The column beside it, which had the first year in
-- the name and no corrections, is read by nobody any more.
comment on column files.year is 'retired';

-- Until it is removed, instances of the last release search and sort by it: so it follows the period, whoever writes.
-- judged: trigger files.files_follow_period: only makes the year what the last release would show in its overview
create function follow_period() returns trigger language plpgsql as $$
begin
  new.year := left(new.period, 4)::integer;
  return new;
end $$;
comment on function follow_period() is 'retired';
create trigger files_follow_period before insert or update of period on files
  for each row execute function follow_period();

-- Files of the time before periods, whose names a job has still to read. Empty where the last release has run.
create table unread_periods (file_id bigint primary key);
insert into unread_periods
  select id from files where period is null and year is not null and not is_period_given;

-- As in 0034, but compares the year of the period.
-- judged: function note_changed_files(): notes the same, and a corrected year too
create or replace function note_changed_files() returns trigger language plpgsql as $$
declare
  each record;
  was_seen boolean;
  is_seen boolean;
  has_changed boolean;
  told text;
  last_told text := '';
  submissions bigint[] := '{}';
  folders bigint[] := '{}';
  files bigint[] := '{}';
  old_positions text[] := '{}';
  new_positions text[] := '{}';
begin
  for each in
    select id, was.folder_id as old_folder, became.folder_id as new_folder, became.submission_id as submission,
      was.deleted_at is null as was_listed, became.deleted_at is null as is_listed,
      was.is_held_back as was_held, became.is_held_back as is_held,
      was.position as old_position, became.position as new_position,
      became.name = was.name and became.blob_id = was.blob_id and became.key = was.key and became.shown_at = was.shown_at
        and became.created_at = was.created_at and became.from_investor = was.from_investor
        and left(became.period, 4) is not distinct from left(was.period, 4) and became.released_at is not distinct from was.released_at
        and became.uploaded_by is not distinct from was.uploaded_by as looks_the_same
    from was_there as was full join now_there as became using (id)
  loop
    was_seen := each.was_listed and not each.was_held;
    is_seen := each.is_listed and not each.is_held;
    has_changed := was_seen <> is_seen or each.old_folder <> each.new_folder or not each.looks_the_same;
    if each.submission is not null then submissions := submissions || each.submission; end if;
    if was_seen and is_seen and not has_changed then
      folders := folders || each.new_folder;
      files := files || each.id;
      old_positions := old_positions || each.old_position;
      new_positions := new_positions || each.new_position;
      continue;
    end if;
    told := each.old_folder || ' ' || each.new_folder || each.was_listed || each.is_listed
      || (was_seen and has_changed) || (is_seen and has_changed);
    if told <> last_told then
      if each.old_folder <> each.new_folder then
        perform note_files(each.old_folder, each.was_listed, not each.was_listed, was_seen);
        perform note_files(each.new_folder, each.is_listed, not each.is_listed, is_seen);
      else
        perform note_files(each.new_folder, each.was_listed or each.is_listed, not (each.was_listed and each.is_listed),
          (was_seen or is_seen) and has_changed);
      end if;
      last_told := told;
    end if;
  end loop;
  if submissions <> '{}' then perform note_submissions(submissions); end if;
  if files <> '{}' then perform note_moved_files(folders, files, old_positions, new_positions); end if;
  return null;
end $$;
