-- One table of all that has to be done: what obligations demand, and what folders expect. `year_cells` counts files, and no more.
-- locks: duties, year_cells, folders, users
-- judged: column duties.obligation_id: 1.0.0 joins the obligations of what it shows and mails, and does not see a folder's own duty; its counts have them for as long as both run
-- judged: constraint duties.duties_period_rule_check: 1.0.0 writes duties of obligations alone
-- judged: constraint duties.duties_excuse_check: about columns that 1.0.0 leaves as they are
-- judged: constraint duties.duties_excuse_length_check: about a column that 1.0.0 leaves as it is
-- judged: constraint duties.duties_excused_by_fkey: about a column that 1.0.0 leaves as it is
-- judged: trigger year_cells.year_cells_note: came after 1.0.0, and is on the duties now
-- judged: unique duties.duties_of_folder: 1.0.0 writes no duty of a folder alone
-- judged: index duties.duties_due: some ten thousand rows, read through in a moment
-- judged: index duties.duties_year: some ten thousand rows, read through in a moment
alter table duties
  -- Null: the folder's own expectation asks for it.
  alter column obligation_id drop not null,
  -- Why it will not be done.
  add excuse text,
  add excused_by bigint references users,
  add excused_at timestamptz,
  -- Its paper is there, and held back.
  add is_drafted boolean not null default false,
  add constraint duties_period_rule_check check (obligation_id is not null or folder_id is not null),
  add constraint duties_excuse_length_check check (excuse <> '' and char_length(excuse) <= 500),
  add constraint duties_excuse_check check ((excuse is null) = (excused_at is null));
create unique index duties_of_folder on duties (folder_id, period) where obligation_id is null;
create index duties_due on duties (due_on, id) where done_at is null and excuse is null and not is_drafted;
create index duties_year on duties (period);

-- What an obligation and a folder both ask for is one duty, with the sooner day.
update duties set due_on = least(duties.due_on, cells.due_on), is_drafted = cells.files_count > cells.shown_count and cells.shown_count = 0,
  excuse = cells.excuse, excused_by = cells.excused_by, excused_at = cells.excused_at
from year_cells as cells
where cells.folder_id = duties.folder_id and cells.period = duties.period and cells.due_on is not null;
insert into duties (project_id, folder_id, period, starts_on, ends_on, due_on, excuse, excused_by, excused_at, done_at, is_by_paper,
  is_drafted)
select cells.project_id, cells.folder_id, cells.period, starts_on, ends_on, due_on, excuse, excused_by, excused_at,
  case when cells.shown_count > 0 then coalesce((select max(shown_at) from files
    where files.folder_id = cells.folder_id and files.period = cells.period and deleted_at is null and not is_held_back), now()) end,
  cells.shown_count > 0, cells.files_count > 0 and cells.shown_count = 0
from year_cells as cells
where cells.due_on is not null
  and not exists (select from duties where duties.folder_id = cells.folder_id and duties.period = cells.period);
insert into stale_duties select id from projects;

comment on column year_cells.starts_on is 'retired';
comment on column year_cells.ends_on is 'retired';
comment on column year_cells.due_on is 'retired';
comment on column year_cells.excuse is 'retired';
comment on column year_cells.excused_by is 'retired';
comment on column year_cells.excused_at is 'retired';

-- Open pages show when the office excuses something, expects it again, or says that it is done. All is logged, which tells of what is noted.
drop trigger year_cells_note on year_cells;
create or replace function note_excuse() returns trigger language plpgsql as $$
begin
  if new.folder_id is not null then perform note_files(new.folder_id, true, false, true);
  else perform note_changes(' p' || new.project_id); end if;
  return null;
end $$;
-- judged: trigger duties.duties_note: changes nothing that the last release reads
create trigger duties_note after update of excuse, done_by on duties
  for each row when (old.excuse is distinct from new.excuse or old.done_by is distinct from new.done_by)
  execute function note_excuse();

-- Until they are removed, an excuse that 1.0.0 writes is the duty's too, and the other way round.
create function carry_excuse() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() > 1 or new.excuse is not distinct from old.excuse then return null; end if;
  if tg_table_name = 'year_cells' then
    update duties set excuse = new.excuse, excused_by = new.excused_by, excused_at = new.excused_at
      where folder_id = new.folder_id and period = new.period;
  else
    update year_cells set excuse = new.excuse, excused_by = new.excused_by, excused_at = new.excused_at
      where folder_id = new.folder_id and period = new.period and due_on is not null;
  end if;
  return null;
end $$;
comment on function carry_excuse() is 'retired';
-- judged: trigger year_cells.year_cells_carry_excuse: what 1.0.0 excuses is excused
create trigger year_cells_carry_excuse after update on year_cells
  for each row execute function carry_excuse();
-- judged: trigger duties.duties_carry_excuse: what is excused is excused in 1.0.0 as well
create trigger duties_carry_excuse after update of excuse on duties
  for each row when (old.excuse is distinct from new.excuse) execute function carry_excuse();

-- A paper that is there, and shown, does the duty of its period; one that is held back makes it a draft.
-- judged: function settle_duties(): settles the same, and notes drafts
create or replace function settle_duties() returns trigger language plpgsql as $$
declare
  cell year_cells := coalesce(new, old);
  files integer := case when tg_op = 'DELETE' then 0 else cell.files_count end;
  is_there boolean := tg_op <> 'DELETE' and cell.shown_count > 0;
begin
  update duties set done_at = case when is_there then coalesce(done_at, now()) end, is_by_paper = is_there,
    is_drafted = files > 0 and not is_there
  where folder_id = cell.folder_id and period = cell.period and (done_at is null or is_by_paper)
    and (is_by_paper, is_drafted) is distinct from (is_there, files > 0 and not is_there);
  return null;
end $$;
drop trigger year_cells_settle_added on year_cells;
drop trigger year_cells_settle_changed on year_cells;
drop trigger year_cells_settle_removed on year_cells;
-- judged: trigger year_cells.year_cells_settle_added: also for drafts
create trigger year_cells_settle_added after insert on year_cells
  for each row when (new.files_count > 0) execute function settle_duties();
-- judged: trigger year_cells.year_cells_settle_changed: also for drafts
create trigger year_cells_settle_changed after update of files_count, shown_count on year_cells
  for each row when ((old.shown_count > 0, old.files_count > 0) <> (new.shown_count > 0, new.files_count > 0))
  execute function settle_duties();
-- judged: trigger year_cells.year_cells_settle_removed: also for drafts
create trigger year_cells_settle_removed after delete on year_cells
  for each row when (old.files_count > 0) execute function settle_duties();

-- A folder's own duties go with it. Those of an obligation stay, without a folder.
create function drop_duties() returns trigger language plpgsql as $$
begin
  delete from duties where folder_id = old.id and obligation_id is null;
  return old;
end $$;
-- judged: trigger folders.folders_drop_duties: what the folder expected is nobody's any more
create trigger folders_drop_duties before delete on folders for each row execute function drop_duties();

drop trigger folders_duties on folders;
-- judged: trigger folders.folders_duties: also when something else is expected
create trigger folders_duties after insert or delete
  or update of name, project_id, expects, expects_from, expects_to, due_months on folders
  for each row execute function want_duties();
