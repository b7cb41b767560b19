-- How many bytes the pages of a text take: an upload asks, and must not read them all. Null if nobody has counted them. Those
-- that people have sent to their own folders are counted now, since they are asked about.
alter table texts add packed_bytes bigint;
update texts set packed_bytes = coalesce((select sum(octet_length(packed)) from page_texts where text_id = texts.id), 0)
where texts.sha256 in (
  select blobs.sha256 from folders join files on files.folder_id = folders.id join blobs on blobs.id = files.blob_id
  where folders.user_id = files.uploaded_by
);

create function count_packed_bytes() returns trigger language plpgsql as $$
begin
  update texts set packed_bytes = (select sum(octet_length(packed)) from page_texts where text_id = texts.id)
  where texts.packed_bytes is null and texts.id in (select text_id from added);
  if found then
    return null;
  end if;
  update texts set packed_bytes = packed_bytes + pages.bytes
  from (select text_id, sum(octet_length(packed)) as bytes from added group by text_id) as pages
  where texts.id = pages.text_id;
  return null;
end $$;
-- judged: trigger page_texts.page_texts_counted: fills a column that the last release does not know
create trigger page_texts_counted after insert on page_texts
  referencing new table as added for each statement execute function count_packed_bytes();
