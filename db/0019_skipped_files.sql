-- What a form did not store, since it lay there already: [{"name", "twin", "folder_id"}].
alter table submissions add skipped jsonb;
