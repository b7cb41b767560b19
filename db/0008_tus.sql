-- A file that comes in pieces has its row, and its place in what its sender may have waiting, before its first byte.
alter table temporary_files add announced bigint check (announced > 0);
