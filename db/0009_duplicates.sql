-- Which files of a folder have the name, or the bytes, of one that is about to be uploaded there.
create index files_name on files (folder_id, name collate "C") where deleted_at is null;
create index blobs_sha256 on blobs (sha256) where state = 'stored';
