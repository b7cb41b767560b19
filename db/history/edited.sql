-- Names the migrations that left other traces here than the files now would: six of them were edited after they had been
-- committed, while Ringbind was being built, and before checksums were kept. Only asked of a database without checksums. What
-- else was edited in 0012 changed no schema.
with looked (name, is_there) as (values
  ('0003_accounts.sql', exists (
    select from pg_attribute where attrelid = to_regclass('link_tokens') and attname = 'created_at')),
  ('0005_projects.sql', exists (
    select from pg_proc where oid = to_regproc('keep_contents') and prosrc like '%coalesce(new.changed_at, now())%')),
  ('0006_files.sql', exists (
    select from pg_constraint where conrelid = to_regclass('files') and contype = 'c'
      and pg_get_constraintdef(oid) ilike '%normalized%')),
  ('0007_uploads.sql', exists (
    select from pg_attribute where attrelid = to_regclass('submissions') and attname = 'content')),
  ('0011_log.sql', exists (
    select from pg_attribute where attrelid = to_regclass('log') and attname = 'detail')),
  ('0011_log.sql', exists (
    select from pg_index where indexrelid = to_regclass('log_user') and indnatts > indnkeyatts)),
  ('0012_new_files.sql', exists (
    select from pg_index where indexrelid = to_regclass('files_shown') and indnatts > indnkeyatts))
)
select distinct name from looked where not is_there order by name
