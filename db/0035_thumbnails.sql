-- Small pictures of the first page, made in the background. They can be made again at any time: copies leave them out, and
-- each goes with the bytes it was made of.
create table thumbnails (
  blob_id bigint primary key references blobs on delete cascade,
  -- A PDF waits for a computer that can draw its pages.
  is_pdf boolean not null,
  state text collate "C" not null default 'wanted' check (state in ('wanted', 'made', 'failed')),
  -- Counted before each try, so that bytes that bring down whoever reads them are not read for ever.
  tries smallint not null default 0,
  tried_at timestamptz,
  webp bytea check (octet_length(webp) <= 131072),
  check ((state = 'made') = (webp is not null))
);
alter table thumbnails alter webp set storage external; -- WebP does not get smaller
create index thumbnails_wanted on thumbnails (is_pdf, tries, blob_id desc) where state = 'wanted' and tries < 2;

create function want_thumbnail() returns trigger language plpgsql as $$
begin
  insert into thumbnails (blob_id, is_pdf)
  select id, type = 'application/pdf' from blobs
  where id = new.blob_id and size <= 67108864
    and type in ('application/pdf', 'image/jpeg', 'image/png', 'image/apng', 'image/webp', 'image/gif')
  on conflict do nothing;
  return null;
end $$;
create trigger files_pictured after insert or update of blob_id on files
  for each row execute function want_thumbnail();
