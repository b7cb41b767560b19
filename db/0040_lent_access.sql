-- An investor, or an administrator for them, lets an adviser see what the investor sees: all of it, or some.
alter table users drop constraint users_role_check;
alter table users add constraint users_role_check
  check (role in ('administrator', 'employee', 'auditor', 'investor', 'adviser'));

-- By the Danish names. The old roles keep their numbers, so the indexes stay right.
create or replace function role_order(role text) returns integer immutable strict parallel safe language sql
return array_position(array['administrator', 'investor', 'employee', 'auditor', 'adviser'], role);

create table lendings (
  id bigint generated always as identity primary key,
  lender_id bigint not null references users,
  adviser_id bigint not null references users check (adviser_id <> lender_id),
  -- Everything that the lender sees; otherwise folders by name, the lender's own files, or both.
  is_everything boolean not null,
  folder_names text[] collate "C" not null default '{}',
  with_own_files boolean not null default false,
  -- Mails about releases.
  gets_mails boolean not null default false,
  -- The first moment at which it no longer holds; null until it is taken back.
  until timestamptz,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  check (is_everything or with_own_files or folder_names <> '{}')
);
-- The same adviser once for each lender. What was taken back is kept, for the log.
create unique index lendings_adviser on lendings (adviser_id, lender_id) where ended_at is null;
create index lendings_lender on lendings (lender_id, created_at);

-- Up to when an adviser has marked everything as read: in a project, or among a lender's own files.
create table lent_seen (
  adviser_id bigint not null references users,
  project_id bigint references projects,
  lender_id bigint references users,
  seen_at timestamptz not null,
  check (num_nonnulls(project_id, lender_id) = 1),
  constraint lent_seen_key unique nulls not distinct (adviser_id, project_id, lender_id)
);

-- The lender through whom an adviser saw what an entry is about.
alter table log add for_user_id bigint references users;
create index log_for_user on log (for_user_id, at, id) include (act, project_id, user_id, subject_user_id)
  where for_user_id is not null;

-- Live changes (0034_live.sql). Advisers listen for each folder that they see, because they may see only some of a project:
--   f9     a shared folder's files, as those outside the office see them
--   m7     also: what is lent to the person has changed, or a project, folder or lender that they see
create or replace function note_files(folder bigint, is_listed boolean, is_in_trash boolean, is_seen boolean) returns void
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
        || case when is_seen and is_shared then ' p' || project || 'i f' || folder else '' end
    end);
end $$;

-- Notes the advisers to whom these people, or the members of a project, lend everything, or one of the named folders.
create function note_advisers(people bigint[], project bigint, names text[]) returns void language plpgsql as $$
begin
  perform note_changes(coalesce((
    select string_agg(distinct ' m' || lendings.adviser_id, '')
    from lendings join users as lender on lender.id = lendings.lender_id
    where lendings.ended_at is null and (lendings.until is null or lendings.until > now())
      and (lendings.is_everything or lendings.folder_names && (names collate "C"))
      and (lendings.lender_id = any (people)
        or lendings.lender_id in (select user_id from project_members where project_id = project))), ''));
end $$;

-- The names of a project's shared folders: what can be lent of it.
create function shared_names(project bigint) returns text[] stable language sql
return array(select name from folders where project_id = project and visible_to_investors);

create or replace function note_folder() returns trigger language plpgsql as $$
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
  if is_seen then
    perform note_advisers('{}', project, case tg_op when 'INSERT' then array[new.name::text] when 'DELETE' then array[old.name::text]
      else array[old.name::text, new.name::text] end);
  end if;
  return null;
end $$;

create or replace function note_project() returns trigger language plpgsql as $$
begin
  perform note_changes(' p' || new.id ||
    case when tg_op = 'UPDATE' then ' p' || new.id || 'a p' || new.id || 'i' else '' end);
  if tg_op = 'UPDATE' then perform note_advisers('{}', new.id, shared_names(new.id)); end if;
  return null;
end $$;

create or replace function note_member() returns trigger language plpgsql as $$
declare
  member project_members := case when tg_op = 'DELETE' then old else new end;
begin
  perform note_changes(' p' || member.project_id || ' m' || member.user_id);
  -- Most members lend nothing, and some transactions have thousands of members.
  if exists (select from lendings where lender_id = member.user_id and ended_at is null) then
    perform note_advisers(array[member.user_id], null, shared_names(member.project_id));
  end if;
  return null;
end $$;

create or replace function note_user() returns trigger language plpgsql as $$
begin
  perform note_changes(' users m' || new.id);
  if tg_op = 'UPDATE' then
    perform note_changes(coalesce((
      select string_agg(' m' || adviser_id, '') from lendings
      where lender_id = new.id and ended_at is null and (until is null or until > now())), ''));
  end if;
  return null;
end $$;

create function note_lending() returns trigger language plpgsql as $$
begin
  perform note_changes(' m' || case when tg_op = 'DELETE' then old.adviser_id else new.adviser_id end);
  return null;
end $$;
create trigger lendings_note after insert or update or delete on lendings for each row execute function note_lending();
create constraint trigger lendings_tell after insert or update or delete on lendings
  deferrable initially deferred for each row
  when (case when current_setting('ringbind.is_telling', true) = 'yes' then false
    else set_config('ringbind.is_telling', 'yes', true) = 'yes' end)
  execute function tell_changes();

-- The office also sees in its lists of files the state of the release that has a new version of one.
create or replace function note_release_state() returns trigger language plpgsql as $$
begin
  perform note_changes(coalesce((
    select string_agg(distinct coalesce(' p' || project_id, ' u' || user_id), '')
    from files join folders on folders.id = files.folder_id
    where files.deleted_at is null and files.id in (
      select id from files where submission_id = new.submission_id and is_held_back
      union all select file_id from file_versions where submission_id = new.submission_id and is_held_back)), ''));
  return null;
end $$;
