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

create function note_changes(marks text[]) returns void language plpgsql as $$
declare
  noted text := coalesce(nullif(current_setting('ringbind.changes', true), ''), ' ');
  mark text;
begin
  foreach mark in array coalesce(marks, '{}') loop
    if strpos(noted, ' ' || mark || ' ') = 0 then noted := noted || mark || ' '; end if;
  end loop;
  -- PostgreSQL takes less than 8000 bytes. A star stays one, whatever is added to it.
  perform set_config('ringbind.changes', case when length(noted) > 7000 or noted like ' * %' then ' * ' else noted end, true);
end $$;

create function tell_changes() returns trigger language plpgsql as $$
declare
  noted text := trim(current_setting('ringbind.changes', true));
begin
  if noted <> '' then perform pg_notify('ringbind_changes', noted); end if;
  perform set_config('ringbind.changes', '', true);
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
    'release_people', 'recall_mails', 'inbox', 'notices', 'log'] loop
    execute format('create constraint trigger %I after insert or update or delete on %I
      deferrable initially deferred for each row
      when (case when current_setting(''ringbind.is_telling'', true) = ''yes'' then false
        else set_config(''ringbind.is_telling'', ''yes'', true) = ''yes'' end)
      execute function tell_changes()', watched || '_tell', watched);
  end loop;
end $$;

-- Files. Those outside the office are told only of what they see: files that are neither deleted nor held back, in folders
-- that are shared with them. A file counts as changed for them by the columns that they see.
create function marks_of_files(folder bigint, submission bigint, is_listed boolean, is_in_trash boolean, is_seen boolean)
returns text[] stable language plpgsql as $$
declare
  project bigint;
  owner text;
  is_shared boolean;
begin
  select project_id, coalesce('p' || project_id, 'u' || user_id), visible_to_investors into project, owner, is_shared
    from folders where id = folder;
  return array_remove(array[
    case when is_listed then owner end,
    case when is_in_trash then 't' || owner end,
    case when is_seen and project is not null then owner || 'a' end,
    case when is_seen and (is_shared or project is null) then owner || 'i' end,
    case when submission is not null then (select 'r' || id from releases where submission_id = submission) end,
    case when submission is not null then (select 'inbox' from inbox where submission_id = submission) end
  ], null);
end $$;

-- The plan is kept, and made when one file is changed. With nested loops it would take minutes for a thousand.
create function note_files() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  marks text[];
begin
  if tg_op = 'INSERT' then
    select array_agg(distinct mark) into marks
    from (
      select folder_id, submission_id, bool_or(deleted_at is null) as is_listed, bool_or(deleted_at is not null) as is_in_trash,
        bool_or(deleted_at is null and not is_held_back) as is_seen
      from now_there group by folder_id, submission_id
    ) as changed, unnest(marks_of_files(folder_id, submission_id, is_listed, is_in_trash, is_seen)) as mark;
  elsif tg_op = 'DELETE' then
    select array_agg(distinct mark) into marks
    from (
      select folder_id, submission_id, bool_or(deleted_at is null) as is_listed, bool_or(deleted_at is not null) as is_in_trash,
        bool_or(deleted_at is null and not is_held_back) as is_seen
      from was_there group by folder_id, submission_id
    ) as changed, unnest(marks_of_files(folder_id, submission_id, is_listed, is_in_trash, is_seen)) as mark;
  else
    select array_agg(distinct mark) into marks
    from (
      select side.folder_id, side.submission_id, bool_or(side.is_listed) as is_listed,
        bool_or(not side.is_listed) as is_in_trash,
        bool_or(side.is_seen and (
          (was.deleted_at is null and not was.is_held_back) <> (became.deleted_at is null and not became.is_held_back)
          or (was.folder_id, was.blob_id, was.name, was.key, was.year, was.uploaded_by, was.created_at, was.shown_at,
              was.from_investor, was.released_at)
            is distinct from (became.folder_id, became.blob_id, became.name, became.key, became.year, became.uploaded_by,
              became.created_at, became.shown_at, became.from_investor, became.released_at))) as is_seen
      from was_there as was join now_there as became using (id),
      lateral (values
        (was.folder_id, was.submission_id, was.deleted_at is null, was.deleted_at is null and not was.is_held_back),
        (became.folder_id, became.submission_id, became.deleted_at is null,
          became.deleted_at is null and not became.is_held_back)
      ) as side (folder_id, submission_id, is_listed, is_seen)
      where was is distinct from became
      group by side.folder_id, side.submission_id
    ) as changed, unnest(marks_of_files(folder_id, submission_id, is_listed, is_in_trash, is_seen)) as mark;
    -- Files that others see, and that were only moved: they see that, unless all that the files were moved past is hidden
    -- from them.
    if marks is not null then
      marks := marks || (
        with moved as materialized (
          select id, was.folder_id, was.position as old_position, became.position as new_position
          from was_there as was join now_there as became using (id)
          where was.position <> became.position and was.folder_id = became.folder_id
            and was.deleted_at is null and not was.is_held_back and became.deleted_at is null and not became.is_held_back
        )
        select array_agg(distinct mark)
        from (
          select folder_id, bool_or(old_rank <> new_rank) or bool_or((
              select true from files
              where files.folder_id = ranked.folder_id and deleted_at is null and not is_held_back
                and position > least(old_position, new_position) and position < greatest(old_position, new_position)
                and files.id not in (select id from moved)
              limit 1)) as is_seen
          from (
            select *, rank() over (partition by folder_id order by old_position) as old_rank,
              rank() over (partition by folder_id order by new_position) as new_rank
            from moved
          ) as ranked
          group by folder_id
        ) as changed, unnest(marks_of_files(folder_id, null, false, false, is_seen)) as mark);
    end if;
  end if;
  if marks is not null then perform note_changes(marks); end if;
  return null;
end $$;
create trigger files_added_note after insert on files
  referencing new table as now_there for each statement execute function note_files();
create trigger files_changed_note after update on files
  referencing old table as was_there new table as now_there for each statement execute function note_files();
create trigger files_removed_note after delete on files
  referencing old table as was_there for each statement execute function note_files();

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
  perform note_changes(array['p' || project, 'p' || project || 'a'] || case when is_seen then array['p' || project || 'i'] end
    || case when tg_op = 'UPDATE' then array['tp' || project] end);
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
  perform note_changes(array['p' || new.id] ||
    case when tg_op = 'UPDATE' then array['p' || new.id || 'a', 'p' || new.id || 'i'] end);
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
  perform note_changes(array['p' || member.project_id, 'm' || member.user_id]);
  return null;
end $$;
create trigger project_members_note after insert or delete on project_members
  for each row execute function note_member();

create function note_user() returns trigger language plpgsql as $$
begin
  perform note_changes(array['users', 'm' || new.id]);
  return null;
end $$;
create trigger users_added_note after insert on users for each row execute function note_user();
create trigger users_changed_note after update on users for each row
  when ((old.name, old.email, old.role, old.deactivated_at, old.password_hash is null, old.image_key, old.search)
    is distinct from (new.name, new.email, new.role, new.deactivated_at, new.password_hash is null, new.image_key, new.search))
  execute function note_user();

create function note_session() returns trigger language plpgsql as $$
begin
  perform note_changes(array['s' || old.user_id]);
  return null;
end $$;
create trigger sessions_note after delete on sessions for each row execute function note_session();

create function note_release() returns trigger language plpgsql as $$
begin
  perform note_changes(array['r' || case when tg_op = 'DELETE' then old.id else new.id end]);
  return null;
end $$;
create trigger releases_note after insert or update or delete on releases for each row execute function note_release();

-- The office sees in its lists of files why one is held back.
create function note_release_state() returns trigger language plpgsql as $$
begin
  perform note_changes((
    select array_agg(distinct coalesce('p' || project_id, 'u' || user_id))
    from files join folders on folders.id = files.folder_id
    where files.submission_id = new.submission_id and files.is_held_back and files.deleted_at is null));
  return null;
end $$;
create trigger releases_state_note after update on releases for each row
  when (old.state is distinct from new.state) execute function note_release_state();

create function note_release_mail() returns trigger language plpgsql as $$
begin
  perform note_changes(array['r' || case when tg_op = 'DELETE' then old.release_id else new.release_id end]);
  return null;
end $$;
create trigger release_people_note after insert or update or delete on release_people
  for each row execute function note_release_mail();
create trigger recall_mails_note after insert or update or delete on recall_mails
  for each row execute function note_release_mail();

-- Tables whose every change is one mark.
create function note_mark() returns trigger language plpgsql as $$
begin
  perform note_changes(array[tg_argv[0]]);
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
  perform note_changes(array['log'] || (
    select array_agg(distinct 'r' || releases.id)
    from added join files on files.id = added.file_id join releases on releases.submission_id = files.submission_id
    where added.act in ('file-opened', 'file-downloaded')));
  return null;
end $$;
create trigger log_note after insert on log
  referencing new table as added for each statement execute function note_log();
