-- Where a file lay in its folder, if the tree is an export of Ringbind.
alter table import_files add place integer;
