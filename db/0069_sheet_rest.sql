-- The rows of a sheet that were wrong and not moved in, as they were given, so that they can be fetched as a sheet. Forgotten when
-- the import can no longer be taken back.
alter table sheet_imports add rest jsonb;

-- The sheet as it was read, so that its columns can be chosen.
alter table sheets add tables jsonb;
