-- What follows from a changed file was found out by four triggers, each of which went through the changed rows, by another that a
-- folder's counts set off, and by one on each table that told open pages at the end. One does it now: an act on one file costs half.

-- A folder, or one period in it: how many more files, and for whom its list has changed.
create type files_change as (folder_id bigint, period text, is_folder boolean, files integer, shown integer,
  is_listed boolean, is_in_trash boolean, is_seen boolean);

-- Told at once, and sent at the commit: PostgreSQL keeps notifications until then. The setting knows what was told, so that nothing is
-- told twice, and a list that becomes too long ends with `*`.
-- judged: function note_changes(text): tells what the trigger of each table told at the end, in several notifications
create or replace function note_changes(marks text) returns void language plpgsql as $$
declare
  noted text := coalesce(current_setting('ringbind.changes', true), '') || ' ';
begin
  if marks = '' or noted = ' * ' or strpos(noted, marks || ' ') > 0 then return; end if;
  if length(noted) + length(marks) > 7500 then marks := ' *'; noted := ' '; end if;
  noted := set_config('ringbind.changes', rtrim(noted) || marks, true);
  perform pg_notify('ringbind_changes', ltrim(marks));
end $$;
comment on function tell_changes() is 'retired';
-- judged: trigger files.files_tell: note_changes tells by itself
drop trigger files_tell on files;
-- judged: trigger folders.folders_tell: note_changes tells by itself
drop trigger folders_tell on folders;
-- judged: trigger projects.projects_tell: note_changes tells by itself
drop trigger projects_tell on projects;
-- judged: trigger project_members.project_members_tell: note_changes tells by itself
drop trigger project_members_tell on project_members;
-- judged: trigger users.users_tell: note_changes tells by itself
drop trigger users_tell on users;
-- judged: trigger sessions.sessions_tell: note_changes tells by itself
drop trigger sessions_tell on sessions;
-- judged: trigger releases.releases_tell: note_changes tells by itself
drop trigger releases_tell on releases;
-- judged: trigger file_versions.file_versions_tell: note_changes tells by itself
drop trigger file_versions_tell on file_versions;
-- judged: trigger release_people.release_people_tell: note_changes tells by itself
drop trigger release_people_tell on release_people;
-- judged: trigger recall_mails.recall_mails_tell: note_changes tells by itself
drop trigger recall_mails_tell on recall_mails;
-- judged: trigger inbox.inbox_tell: note_changes tells by itself
drop trigger inbox_tell on inbox;
-- judged: trigger notices.notices_tell: note_changes tells by itself
drop trigger notices_tell on notices;
-- judged: trigger log.log_tell: note_changes tells by itself
drop trigger log_tell on log;
-- judged: trigger guessed_accounts.guessed_accounts_tell: note_changes tells by itself
drop trigger guessed_accounts_tell on guessed_accounts;
-- judged: trigger lendings.lendings_tell: note_changes tells by itself
drop trigger lendings_tell on lendings;
-- No table of the last release.
drop trigger held_papers_tell on held_papers;

create function file_marks(folder bigint, project bigint, person bigint, is_shared boolean,
  is_listed boolean, is_in_trash boolean, is_seen boolean) returns text immutable language sql as $$
  select case when project is null then
      case when is_listed then ' u' || person else '' end || case when is_in_trash then ' tu' || person else '' end
        || case when is_seen then ' u' || person || 'i' else '' end
    else
      case when is_listed then ' p' || project else '' end || case when is_in_trash then ' tp' || project else '' end
        || case when is_seen then ' p' || project || 'a' else '' end
        || case when is_seen and is_shared then ' p' || project || 'i f' || folder else '' end
    end
$$;
-- judged: function note_files(bigint,boolean,boolean,boolean): tells the same
create or replace function note_files(folder bigint, is_listed boolean, is_in_trash boolean, is_seen boolean) returns void
language plpgsql as $$
begin
  perform note_changes(file_marks(folder, project_id, user_id, visible_to_investors, is_listed, is_in_trash, is_seen))
  from folders where id = folder;
end $$;

create function count_contents(project bigint, more integer) returns void language plpgsql as $$
begin
  update projects set files_count = files_count + more, changed_at = greatest(changed_at, now())
  where id = project and (more <> 0 or changed_at < now());
end $$;

-- The counts of folders, projects and periods, what open pages are told, and the words to be found anew. An order changes no count.
create function follow_files() returns trigger language plpgsql as $$
declare
  changes files_change[];
  each files_change;
  project bigint;
  person bigint;
  is_shared boolean;
  -- The project whose folders have been counted last, and how many files it has more.
  counted bigint;
  more integer := 0;
  marks text := '';
  more_marks text;
  unindexed bigint[];
  submissions bigint[];
begin
  if tg_op = 'UPDATE' then
    changes := array(
      select row(side.folder_id, side.period, grouping(side.period) = 1, sum(file), sum(file * (not side.is_held_back)::integer),
        bool_or(side.deleted_at is null), bool_or(side.deleted_at is not null),
        bool_or(side.deleted_at is null and not side.is_held_back and not looks_the_same))::files_change
      from was_there as was full join now_there as became using (id)
        cross join lateral (select
          (was.folder_id, was.position, was.deleted_at is null, was.is_held_back, was.name, was.blob_id, was.key, was.shown_at,
            was.created_at, was.from_investor, left(was.period, 4), was.released_at, was.uploaded_by)
          is not distinct from
          (became.folder_id, became.position, became.deleted_at is null, became.is_held_back, became.name, became.blob_id,
            became.key, became.shown_at, became.created_at, became.from_investor, left(became.period, 4), became.released_at,
            became.uploaded_by) as looks_the_same) as look
        cross join lateral (values
          (was.folder_id, was.period, was.deleted_at, was.is_held_back, -(was.deleted_at is null)::integer),
          (became.folder_id, became.period, became.deleted_at, became.is_held_back, (became.deleted_at is null)::integer)
        ) as side (folder_id, period, deleted_at, is_held_back, file)
      group by grouping sets ((side.folder_id), (side.folder_id, side.period)) order by side.folder_id, grouping(side.period) desc, side.period);
    unindexed := array(
      select id from now_there as became join was_there as was using (id)
      where (became.name, became.blob_id, became.folder_id) is distinct from (was.name, was.blob_id, was.folder_id) order by id);
    submissions := array(select distinct submission_id from now_there where submission_id is not null);
  elsif tg_op = 'INSERT' then
    changes := array(
      select row(folder_id, period, grouping(period) = 1, count(*) filter (where deleted_at is null),
        count(*) filter (where deleted_at is null and not is_held_back), bool_or(deleted_at is null), bool_or(deleted_at is not null),
        bool_or(deleted_at is null and not is_held_back))::files_change
      from now_there group by grouping sets ((folder_id), (folder_id, period)) order by folder_id, grouping(period) desc, period);
    unindexed := array(select id from now_there order by id);
    submissions := array(select distinct submission_id from now_there where submission_id is not null);
  else
    changes := array(
      select row(folder_id, period, grouping(period) = 1, -count(*) filter (where deleted_at is null),
        -count(*) filter (where deleted_at is null and not is_held_back), bool_or(deleted_at is null), bool_or(deleted_at is not null),
        bool_or(deleted_at is null and not is_held_back))::files_change
      from was_there group by grouping sets ((folder_id), (folder_id, period)) order by folder_id, grouping(period) desc, period);
    submissions := array(select distinct submission_id from was_there where submission_id is not null);
  end if;
  foreach each in array changes loop
    if not each.is_folder then
      if each.period is not null and project is not null and (each.files <> 0 or each.shown <> 0) then
        update year_cells set files_count = files_count + each.files, shown_count = shown_count + each.shown
        where folder_id = each.folder_id and period = each.period;
        if not found and each.files > 0 then
          insert into year_cells as cell (folder_id, period, project_id, files_count, shown_count)
          values (each.folder_id, each.period, project, each.files, each.shown)
          on conflict (folder_id, period) do update
            set files_count = cell.files_count + excluded.files_count, shown_count = cell.shown_count + excluded.shown_count;
        end if;
      end if;
      continue;
    end if;
    if each.files <> 0 or each.shown <> 0 then
      update folders set files_count = files_count + each.files, changed_at = greatest(changed_at, now()),
        shown_count = shown_count + each.shown,
        shown_changed_at = case when each.shown = 0 then shown_changed_at else greatest(shown_changed_at, now()) end
      where id = each.folder_id returning project_id, user_id, visible_to_investors into project, person, is_shared;
      -- The folders of a project come one after the other, most often: it is changed once.
      if project is distinct from counted then
        if counted is not null then perform count_contents(counted, more); end if;
        counted := project;
        more := 0;
      end if;
      more := more + each.files;
    else
      select project_id, user_id, visible_to_investors into project, person, is_shared from folders where id = each.folder_id;
    end if;
    more_marks := file_marks(each.folder_id, project, person, is_shared, each.is_listed, each.is_in_trash, each.is_seen);
    if strpos(marks || ' ', more_marks || ' ') = 0 then marks := marks || more_marks; end if;
  end loop;
  if counted is not null then perform count_contents(counted, more); end if;
  perform note_changes(marks);
  if unindexed <> '{}' then
    insert into unindexed_files (file_id) select unnest(unindexed) on conflict (file_id) do update set change = default;
  end if;
  if submissions <> '{}' then perform note_submissions(submissions); end if;
  return null;
end $$;

-- judged: trigger files.files_added: counts the same
drop trigger files_added on files;
-- judged: trigger files.files_changed: counts the same
drop trigger files_changed on files;
-- judged: trigger files.files_removed: counts the same
drop trigger files_removed on files;
-- judged: trigger files.files_periods_added: files_added does it
drop trigger files_periods_added on files;
-- judged: trigger files.files_periods_changed: files_changed does it
drop trigger files_periods_changed on files;
-- judged: trigger files.files_periods_removed: files_removed does it
drop trigger files_periods_removed on files;
-- judged: trigger files.files_added_note: files_added does it
drop trigger files_added_note on files;
-- judged: trigger files.files_changed_note: files_changed does it
drop trigger files_changed_note on files;
-- judged: trigger files.files_removed_note: files_removed does it
drop trigger files_removed_note on files;
-- judged: trigger files.files_unindexed_by_insert: files_added does it
drop trigger files_unindexed_by_insert on files;
-- judged: trigger files.files_unindexed_by_update: files_changed does it
drop trigger files_unindexed_by_update on files;
create trigger files_added after insert on files
  referencing new table as now_there for each statement execute function follow_files();
create trigger files_changed after update on files
  referencing old table as was_there new table as now_there for each statement execute function follow_files();
create trigger files_removed after delete on files
  referencing old table as was_there for each statement execute function follow_files();
comment on function count_files() is 'retired';
comment on function count_periods() is 'retired';
comment on function change_cells(cell_change[]) is 'retired';
comment on function note_added_files() is 'retired';
comment on function note_changed_files() is 'retired';
comment on function unindex_files() is 'retired';

-- Counting files in a folder counts them in its project, too: only what changes a folder otherwise is left to do here.
-- judged: trigger folders.folders_contents: keeps the same
drop trigger folders_contents on folders;
create trigger folders_contents after insert or delete on folders for each row execute function keep_contents();
-- judged: trigger folders.folders_contents_changed: keeps the same
create trigger folders_contents_changed after update of files_count, changed_at on folders
  for each row when (pg_trigger_depth() = 0) execute function keep_contents();
