-- Live changes (0034_live.sql): those outside the office are told when something is changed that they see of a file that they
-- see, its place included. Before, triggers also found out what a moved file was moved past.
-- judged: function note_changed_files(): tells of the same lists, and sometimes of one that looks the same
create or replace function note_changed_files() returns trigger language plpgsql as $$
declare
  each record;
  submissions bigint[];
begin
  for each in
    select side.folder_id, bool_or(side.deleted_at is null) as is_listed, bool_or(side.deleted_at is not null) as is_in_trash,
      bool_or(side.deleted_at is null and not side.is_held_back and not looks_the_same) as is_seen
    from was_there as was full join now_there as became using (id)
      cross join lateral (select
        (was.folder_id, was.position, was.deleted_at is null, was.is_held_back, was.name, was.blob_id, was.key, was.shown_at,
          was.created_at, was.from_investor, left(was.period, 4), was.released_at, was.uploaded_by)
        is not distinct from
        (became.folder_id, became.position, became.deleted_at is null, became.is_held_back, became.name, became.blob_id,
          became.key, became.shown_at, became.created_at, became.from_investor, left(became.period, 4), became.released_at,
          became.uploaded_by) as looks_the_same) as look
      cross join lateral (values (was.folder_id, was.deleted_at, was.is_held_back),
        (became.folder_id, became.deleted_at, became.is_held_back)) as side (folder_id, deleted_at, is_held_back)
    group by side.folder_id
  loop
    perform note_files(each.folder_id, each.is_listed, each.is_in_trash, each.is_seen);
  end loop;
  submissions := array(select distinct submission_id from now_there where submission_id is not null);
  if submissions <> '{}' then perform note_submissions(submissions); end if;
  return null;
end $$;
comment on function note_moved_files(bigint[], bigint[], text[], text[]) is 'retired';
