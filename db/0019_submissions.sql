-- Which form it was, by its address; null: from before this was kept.
alter table submissions add form text collate "C";
-- What it did not store, since it lay there already: [{"name", "twin", "folder_id"}].
alter table submissions add skipped jsonb;
