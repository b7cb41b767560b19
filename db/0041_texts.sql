-- The words of documents, page by page, found in the background. They can be found again at any time: copies leave them out.
-- Two files with the same bytes share one text, and it goes with the last of those bytes.
create table texts (
  id bigint generated always as identity primary key,
  sha256 text collate "C" not null unique,
  kind text collate "C" not null check (kind in ('pdf', 'word', 'excel', 'text', 'mail', 'picture')),
  state text collate "C" not null default 'wanted' check (state in ('wanted', 'read', 'failed')),
  -- Counted before each try, so that bytes that bring down whoever reads them are not read for ever.
  tries smallint not null default 0,
  tried_at timestamptz,
  -- A Danish sentence: why it could not be read, or why only a part of it was.
  reason text,
  -- Of a PDF its own pages, of other documents pieces of a size that can be shown.
  pages integer check (pages >= 0),
  -- Some pages have no text, and wait for a computer that can read pictures of letters. A picture is 'read' from the first,
  -- and has one such page.
  is_scan_wanted boolean not null default false,
  -- The pages up to this one have been looked at. `tries` then counts those of the next page.
  scanned_to integer not null default 0,
  check ((state = 'read') = (pages is not null)),
  check ((state = 'failed') <= (reason is not null)),
  check (is_scan_wanted <= (state = 'read'))
);
create index texts_wanted on texts (tries, id desc) where state = 'wanted' and tries < 2;
create index texts_scans on texts (id desc) where is_scan_wanted;
create index texts_failed on texts (id desc) where state = 'failed';

-- Only pages with text have a row. The text is composed (NFC), without control characters, and has one line for each of the
-- page's; it is packed by `page-texts.db.ts`, since PostgreSQL hardly packs so little.
create table page_texts (
  text_id bigint not null references texts on delete cascade,
  page integer not null check (page > 0),
  packed bytea not null,
  -- Letters were guessed from a picture.
  is_scanned boolean not null default false,
  primary key (text_id, page)
) with (toast_tuple_target = 8160); -- beside its number
alter table page_texts alter packed set storage main;

-- What a file is read as; null if it is not. The bytes tell the type. Plain text in another encoding than UTF-8 is told by
-- its name, and so is what begins like any other archive, or is locked with a password.
create function text_kind(type text, name text) returns text language sql immutable parallel safe as $$
  select case
    when type = 'application/pdf' then 'pdf'
    when type in ('application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.template',
      'application/vnd.ms-word.document.macroenabled.12')
      or type in ('application/zip', 'application/x-cfb') and name collate "C" ~* '\.do[ct][xm]$' then 'word'
    when type in ('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.template',
      'application/vnd.ms-excel.sheet.macroenabled.12')
      or type in ('application/zip', 'application/x-cfb') and name collate "C" ~* '\.xl[st][xm]$' then 'excel'
    when type in ('text/plain', 'text/html', 'application/octet-stream', 'application/x-cfb', 'message/rfc822')
      and name collate "C" ~* '\.(eml|msg)$' then 'mail'
    when type in ('text/plain', 'text/html')
      or type = 'application/octet-stream' and name collate "C" ~* '\.(txt|csv|md|log|text)$' then 'text'
    when type in ('image/jpeg', 'image/png', 'image/webp', 'image/gif') then 'picture'
  end
$$;

-- The row is locked even if it is there, so that it is not removed at the same time: see remove_text.
create function want_texts(blob_ids bigint[], names text[]) returns void language plpgsql as $$
begin
  insert into texts (sha256, kind, state, pages, is_scan_wanted)
  select distinct on (sha256) sha256, kind, case kind when 'picture' then 'read' else 'wanted' end,
    case kind when 'picture' then 1 end, kind = 'picture'
  from unnest(blob_ids, names) as shown (blob_id, name)
  join blobs on blobs.id = shown.blob_id
  cross join lateral text_kind(blobs.type, shown.name) as kind
  where kind is not null and blobs.state = 'stored'
  order by sha256, blobs.id
  on conflict (sha256) do update set kind = texts.kind;
end $$;

create function want_texts_of_new() returns trigger language plpgsql as $$
begin
  perform want_texts(array_agg(blob_id), array_agg(name::text)) from now_there;
  return null;
end $$;
create trigger files_read after insert on files
  referencing new table as now_there for each statement execute function want_texts_of_new();

create function want_text() returns trigger language plpgsql as $$
begin
  perform want_texts(array[new.blob_id], array[new.name::text]);
  return null;
end $$;
create trigger files_read_again after update of blob_id on files
  for each row when (old.blob_id <> new.blob_id) execute function want_text();

-- Two statements: the second sees what whoever held the row before has done.
create function remove_text() returns trigger language plpgsql as $$
begin
  perform from texts where sha256 = old.sha256 for update;
  if not found then return null; end if;
  delete from texts where sha256 = old.sha256
    and not exists (select from blobs where blobs.sha256 = old.sha256 and blobs.state = 'stored');
  return null;
end $$;
create trigger blobs_removed after delete on blobs
  for each row when (old.sha256 is not null) execute function remove_text();
