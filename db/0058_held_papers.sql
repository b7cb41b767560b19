-- Papers that nobody outside the office may see yet, whatever became of their release: not read yet, or somebody in the
-- office has to look at them. Known by their bytes, which stay the same when the versions of a file are swapped. The rows are
-- the queue of what compares papers with their places.
-- judged: constraint held_papers.held_papers_held_by_fkey: people are never deleted
create table held_papers (
  blob_id bigint not null references blobs on delete cascade,
  -- 'reading': it is not read yet. 'doubt': somebody has to say yes. Other causes may come.
  cause text collate "C" not null,
  -- Who saved it, and is told of doubts; null for what came from a directory.
  held_by bigint references users,
  held_at timestamptz not null default now(),
  -- Kinds of contradictions that whoever saved it has seen.
  accepted text[] collate "C" not null default '{}',
  -- What it says against its place.
  found jsonb,
  -- When whoever saved it was told of a doubt.
  told_at timestamptz,
  primary key (blob_id, cause)
);
create index held_papers_reading on held_papers (held_at) where cause = 'reading';
create index held_papers_untold on held_papers (held_at) where cause = 'doubt' and told_at is null;

-- Whoever shows a file, the last release included: a held paper stays the office's.
create function keep_held() returns trigger language plpgsql as $$
begin
  new.is_held_back := exists (select from held_papers where blob_id = new.blob_id);
  return new;
end $$;
-- judged: trigger files.files_keep_held: holds back what the last release would show too early
create trigger files_keep_held before insert or update of is_held_back, blob_id on files
  for each row when (not new.is_held_back) execute function keep_held();
-- judged: trigger file_versions.file_versions_keep_held: holds back what the last release would show too early
create trigger file_versions_keep_held before insert or update of is_held_back, blob_id on file_versions
  for each row when (not new.is_held_back) execute function keep_held();

-- In another place, or under another name, a held paper is compared again, and what somebody accepted there does not count.
create function compare_again() returns trigger language plpgsql as $$
begin
  update held_papers set cause = 'reading', accepted = '{}', found = null, told_at = null, held_at = now()
  where cause in ('doubt', 'reading') and (blob_id = new.blob_id or blob_id in (
    select blob_id from file_versions where file_id = new.id and is_held_back));
  return null;
end $$;
-- judged: trigger files.files_compare_again: changes nothing that the last release reads
create trigger files_compare_again after update of folder_id, name on files
  for each row when (old.folder_id <> new.folder_id or old.name <> new.name) execute function compare_again();

-- Open pages show what became of a paper.
create function note_held() returns trigger language plpgsql as $$
declare
  each record;
begin
  for each in
    select folder_id, submission_id from files where blob_id = old.blob_id
    union all
    select files.folder_id, file_versions.submission_id from file_versions join files on files.id = file_versions.file_id
    where file_versions.blob_id = old.blob_id
  loop
    perform note_files(each.folder_id, true, false, false);
    perform note_submissions(array[each.submission_id]);
  end loop;
  return null;
end $$;
create trigger held_papers_note after update or delete on held_papers for each row execute function note_held();
create constraint trigger held_papers_tell after update or delete on held_papers
  deferrable initially deferred for each row
  when (case when current_setting('ringbind.is_telling', true) = 'yes' then false
    else set_config('ringbind.is_telling', 'yes', true) = 'yes' end)
  execute function tell_changes();
