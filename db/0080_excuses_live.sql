-- Open pages show when the office excuses a paper, or expects it again. Both are logged, which tells of what is noted.
create function note_excuse() returns trigger language plpgsql as $$
begin
  perform note_files(new.folder_id, true, false, true);
  return null;
end $$;
-- judged: trigger year_cells.year_cells_note: changes nothing that the last release reads
create trigger year_cells_note after update of excuse on year_cells
  for each row when (old.excuse is distinct from new.excuse) execute function note_excuse();
