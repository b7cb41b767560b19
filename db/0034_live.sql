-- Tells every process that listens what has changed, so that open pages can fetch it again. A notification says no more
-- than where something has changed, and for whom:
--   p12 p12a p12i   a project, as the office, its auditors and its investors see it
--   u7 u7i          a person's own files, as the office and the person see them
--   tp12 tu7        the trash of either
--   r5              a release
--   m7 s7           what the person may see, or one of their sessions, has changed
--   inbox log users notices
--   *               too much to list: anything
-- A transaction collects its marks in a setting of its own and sends them in one notification when it is committed.

create function note_changes(marks text) returns void language plpgsql as $$
declare
  noted text := current_setting('ringbind.changes', true) || ' ';
begin
  if marks = '' or strpos(noted, marks || ' ') > 0 then return; end if;
  -- PostgreSQL takes less than 8000 bytes.
  perform set_config('ringbind.changes',
    case when length(noted) + length(marks) > 7500 or noted = ' * ' then ' *' else coalesce(rtrim(noted), '') || marks end, true);
end $$;

create function tell_changes() returns trigger language plpgsql as $$
begin
  if current_setting('ringbind.changes', true) <> '' then
    perform pg_notify('ringbind_changes', ltrim(current_setting('ringbind.changes')));
  end if;
  perform set_config('ringbind.is_telling', '', true);
  return null;
end $$;

-- The first row that a transaction writes has it tell at the end. The condition is asked for every row, so it calls no
-- function of ours.
do $$
declare
  watched text;
begin
  foreach watched in array array['files', 'folders', 'projects', 'project_members', 'users', 'sessions', 'releases',
    'file_versions', 'release_people', 'recall_mails', 'inbox', 'notices', 'log'] loop
    execute format('create constraint trigger %I after insert or update or delete on %I
      deferrable initially deferred for each row
      when (case when current_setting(''ringbind.is_telling'', true) = ''yes'' then false
        else set_config(''ringbind.is_telling'', ''yes'', true) = ''yes'' end)
      execute function tell_changes()', watched || '_tell', watched);
  end loop;
end $$;

-- Files. Those outside the office are told only of what they see: files that are neither deleted nor held back, in folders
-- that are shared with them. A file counts as changed for them by the columns that they see.
create function note_files(folder bigint, is_listed boolean, is_in_trash boolean, is_seen boolean) returns void
language plpgsql as $$
declare
  project bigint;
  person bigint;
  is_shared boolean;
begin
  select project_id, user_id, visible_to_investors into project, person, is_shared from folders where id = folder;
  perform note_changes(case when project is null then
      case when is_listed then ' u' || person else '' end || case when is_in_trash then ' tu' || person else '' end
        || case when is_seen then ' u' || person || 'i' else '' end
    else
      case when is_listed then ' p' || project else '' end || case when is_in_trash then ' tp' || project else '' end
        || case when is_seen then ' p' || project || 'a' else '' end
        || case when is_seen and is_shared then ' p' || project || 'i' else '' end
    end);
end $$;

-- What was saved together with the files.
create function note_submissions(submissions bigint[]) returns void language plpgsql as $$
begin
  perform note_changes(coalesce(
    (select string_agg(' r' || id, '') from releases where submission_id = any (submissions)), ''));
  if exists (select from inbox where submission_id = any (submissions)) then perform note_changes(' inbox'); end if;
end $$;

create function note_added_files() returns trigger language plpgsql as $$
declare
  each record;
  submissions bigint[];
begin
  for each in
    select folder_id, bool_or(deleted_at is null) as is_listed, bool_or(deleted_at is not null) as is_in_trash,
      bool_or(deleted_at is null and not is_held_back) as is_seen
    from changed group by folder_id
  loop
    perform note_files(each.folder_id, each.is_listed, each.is_in_trash, each.is_seen);
  end loop;
  submissions := array(select distinct submission_id from changed where submission_id is not null);
  if submissions <> '{}' then perform note_submissions(submissions); end if;
  return null;
end $$;
create trigger files_added_note after insert on files
  referencing new table as changed for each statement execute function note_added_files();
create trigger files_removed_note after delete on files
  referencing old table as changed for each statement execute function note_added_files();

-- Goes through the rows in a loop, which is cheap for one of them, and twice as fast as aggregates for a few. The plan is kept,
-- and made when one file is changed: nested loops would take minutes for thousands. A full join has none.
create function note_changed_files() returns trigger language plpgsql as $$
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
        and became.year is not distinct from was.year and became.released_at is not distinct from was.released_at
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

-- Files that only have another place. Others see that, unless all that the files were moved past is hidden from them.
create function note_moved_files(folders bigint[], moved bigint[], old_positions text[], new_positions text[]) returns void
language plpgsql as $$
declare
  each record;
begin
  -- Most often one file is moved, or two change places.
  if cardinality(moved) = 1 then
    perform note_files(folders[1], true, false, exists (
      select from files
      where folder_id = folders[1] and deleted_at is null and not is_held_back and id <> moved[1]
        and position > least(old_positions[1], new_positions[1])
        and position < greatest(old_positions[1], new_positions[1])));
  elsif cardinality(moved) = 2 and folders[1] = folders[2]
    and (old_positions[1] < old_positions[2]) <> (new_positions[1] < new_positions[2])
  then
    perform note_files(folders[1], true, false, true);
  else
    for each in
      select folder_id, bool_or(old_rank <> new_rank) as have_swapped, min(least(old_position, new_position)) as low,
        max(greatest(old_position, new_position)) as high
      from (
        select *, rank() over (partition by folder_id order by old_position) as old_rank,
          rank() over (partition by folder_id order by new_position) as new_rank
        from unnest(folders, old_positions, new_positions) as path (folder_id, old_position, new_position)
      ) as ranked
      group by folder_id
    loop
      -- Whether one of them has passed a file that was not moved: then another number of those is before it.
      perform note_files(each.folder_id, true, false, each.have_swapped or exists (
        select from (
          select id, count(*) filter (where id is null) over (order by position) as before
          from (
            select null::bigint as id, position from files
            where folder_id = each.folder_id and deleted_at is null and not is_held_back
              and position > each.low and position < each.high and files.id not in (select unnest(moved))
            union all
            select path.id, place from unnest(folders, moved, old_positions, new_positions)
              as path (folder_id, id, old_position, new_position), unnest(array[old_position, new_position]) as place
            where path.folder_id = each.folder_id
          ) as placed
        ) as counted
        where id is not null group by id having min(before) <> max(before)));
    end loop;
  end if;
end $$;
create trigger files_changed_note after update on files
  referencing old table as was_there new table as now_there for each statement execute function note_changed_files();

-- Versions that a file does not show are the office's alone.
create function note_version() returns trigger language plpgsql as $$
begin
  perform note_files(folder_id, deleted_at is null, deleted_at is not null, false)
  from files where id = case when tg_op = 'DELETE' then old.file_id else new.file_id end;
  return null;
end $$;
create trigger file_versions_note after insert or update or delete on file_versions
  for each row execute function note_version();

-- Folders. Counting files in them is no change of theirs.
create function note_folder() returns trigger language plpgsql as $$
declare
  project bigint := case when tg_op = 'DELETE' then old.project_id else new.project_id end;
  is_seen boolean;
begin
  if project is null then return null; end if;
  if tg_op = 'INSERT' then is_seen := new.visible_to_investors;
  elsif tg_op = 'DELETE' then is_seen := old.visible_to_investors;
  else
    is_seen := (old.visible_to_investors or new.visible_to_investors) and (
      (old.name, old.sub_names, old.visible_to_investors)
        is distinct from (new.name, new.sub_names, new.visible_to_investors)
      or (select array_agg(id order by place) from folders where project_id = project and visible_to_investors)
        is distinct from (
          select array_agg(id order by coalesce(was_there.place, folders.place))
          from folders left join was_there using (id)
          where folders.project_id = project and folders.visible_to_investors));
  end if;
  perform note_changes(' p' || project || ' p' || project || 'a' || case when is_seen then ' p' || project || 'i' else '' end
    || case when tg_op = 'UPDATE' then ' tp' || project else '' end);
  return null;
end $$;
create trigger folders_added_note after insert on folders for each row execute function note_folder();
create trigger folders_removed_note after delete on folders for each row execute function note_folder();
create trigger folders_changed_note after update on folders referencing old table as was_there for each row
  when ((old.name, old.sub_names, old.visible_to_investors, old.place)
    is distinct from (new.name, new.sub_names, new.visible_to_investors, new.place))
  execute function note_folder();

-- A new project has no members yet. Counting files in it is no change of its own.
create function note_project() returns trigger language plpgsql as $$
begin
  perform note_changes(' p' || new.id ||
    case when tg_op = 'UPDATE' then ' p' || new.id || 'a p' || new.id || 'i' else '' end);
  return null;
end $$;
create trigger projects_added_note after insert on projects for each row execute function note_project();
create trigger projects_changed_note after update on projects for each row
  when ((old.number, old.name, old.cvr, old.status) is distinct from (new.number, new.name, new.cvr, new.status))
  execute function note_project();

create function note_member() returns trigger language plpgsql as $$
declare
  member project_members := case when tg_op = 'DELETE' then old else new end;
begin
  perform note_changes(' p' || member.project_id || ' m' || member.user_id);
  return null;
end $$;
create trigger project_members_note after insert or delete on project_members
  for each row execute function note_member();

create function note_user() returns trigger language plpgsql as $$
begin
  perform note_changes(' users m' || new.id);
  return null;
end $$;
create trigger users_added_note after insert on users for each row execute function note_user();
create trigger users_changed_note after update on users for each row
  when ((old.name, old.email, old.role, old.deactivated_at, old.password_hash is null, old.image_key, old.search)
    is distinct from (new.name, new.email, new.role, new.deactivated_at, new.password_hash is null, new.image_key, new.search))
  execute function note_user();

create function note_session() returns trigger language plpgsql as $$
begin
  perform note_changes(' s' || old.user_id);
  return null;
end $$;
create trigger sessions_note after delete on sessions for each row execute function note_session();

create function note_release() returns trigger language plpgsql as $$
begin
  perform note_changes(' r' || case when tg_op = 'DELETE' then old.id else new.id end);
  return null;
end $$;
create trigger releases_note after insert or update or delete on releases for each row execute function note_release();

-- The office sees in its lists of files why one is held back.
create function note_release_state() returns trigger language plpgsql as $$
begin
  perform note_changes(coalesce((
    select string_agg(distinct coalesce(' p' || project_id, ' u' || user_id), '')
    from files join folders on folders.id = files.folder_id
    where files.submission_id = new.submission_id and files.is_held_back and files.deleted_at is null), ''));
  return null;
end $$;
create trigger releases_state_note after update on releases for each row
  when (old.state is distinct from new.state) execute function note_release_state();

create function note_release_mail() returns trigger language plpgsql as $$
begin
  perform note_changes(' r' || case when tg_op = 'DELETE' then old.release_id else new.release_id end);
  return null;
end $$;
create trigger release_people_note after insert or update or delete on release_people
  for each row execute function note_release_mail();
create trigger recall_mails_note after insert or update or delete on recall_mails
  for each row execute function note_release_mail();

-- Tables whose every change is one mark.
create function note_mark() returns trigger language plpgsql as $$
begin
  perform note_changes(' ' || tg_argv[0]);
  return null;
end $$;
create trigger inbox_note after insert or delete on inbox for each row execute function note_mark('inbox');
create trigger inbox_changed_note after update on inbox for each row
  when ((old.files_count, old.state, old.changed_by, old.changed_at)
    is distinct from (new.files_count, new.state, new.changed_by, new.changed_at))
  execute function note_mark('inbox');
create trigger notices_note after insert or delete on notices for each row execute function note_mark('notices');
create trigger notices_changed_note after update on notices for each row
  when (old.detail is distinct from new.detail) execute function note_mark('notices');

-- The log, and the releases whose files somebody has opened.
create function note_log() returns trigger language plpgsql as $$
begin
  perform note_changes(' log');
  if exists (select from added where act in ('file-opened', 'file-downloaded')) then
    perform note_changes(coalesce((
      select string_agg(distinct ' r' || releases.id, '')
      from added join files on files.id = added.file_id join releases on releases.submission_id = files.submission_id
      where added.act in ('file-opened', 'file-downloaded')), ''));
  end if;
  return null;
end $$;
create trigger log_note after insert on log
  referencing new table as added for each statement execute function note_log();
