-- locks: texts, duties, obligations, users
-- judged: constraint receipt_layouts.receipt_layouts_taught_by_fkey: people are never deleted
-- What papers say that look like an authority's receipt. Each belongs to its bytes: a paper that is moved, or filed from the
-- inbox, is the same receipt. Whether one fits a duty is asked when it is shown, since duties and CVR numbers change.
create table receipts (
  id bigint generated always as identity primary key,
  sha256 text collate "C" not null unique,
  -- What it was read by; null if it only looks like a receipt, and no layout is known.
  layout text collate "C",
  authority text collate danish not null default '',
  -- Which duties it may end: the codes of those that come with Ringbind, or one of the office's own.
  codes text[] collate "C" not null default '{}',
  obligation_id bigint references obligations on delete set null,
  cvr text collate "C" check (cvr ~ '^\d{8}$'),
  starts_on date,
  ends_on date,
  received_on date,
  number text collate danish not null default '' check (char_length(number) <= 40),
  -- Why it cannot be trusted, whatever duties there are.
  fault text collate "C" check (fault in ('rejected', 'no-cvr', 'cvrs', 'wrong-cvr', 'periods')),
  -- The duty that somebody has ended with it.
  duty_id bigint references duties on delete set null,
  -- Somebody has said that it fits nothing, or is no receipt.
  is_refused boolean not null default false,
  found_at timestamptz not null default now(),
  check ((starts_on is null) = (ends_on is null)),
  check (layout is not null or duty_id is null)
);
create index receipts_open on receipts (id desc) where duty_id is null and not is_refused;
create index receipts_cvr on receipts (cvr) where duty_id is null and not is_refused;
create index receipts_duty on receipts (duty_id) where duty_id is not null;
create index receipts_obligation on receipts (obligation_id) where obligation_id is not null;

-- Layouts that the office has taught by pointing at one.
create table receipt_layouts (
  id bigint generated always as identity primary key,
  obligation_id bigint not null references obligations on delete cascade,
  -- The line that such a receipt begins with.
  title text collate danish not null check (title <> '' and char_length(title) <= 100),
  -- The words before each field: {"cvr": "Selskabets nummer", …}
  labels jsonb not null,
  taught_by bigint references users,
  taught_at timestamptz not null default now()
);
create index receipt_layouts_obligation on receipt_layouts (obligation_id);

-- Texts that have been read, or read on, since somebody last looked for receipts. A receipt stands on one of the first pages.
create table unjudged_texts (text_id bigint primary key references texts on delete cascade);
insert into unjudged_texts select id from texts where state = 'read';

create function judge_text() returns trigger language plpgsql as $$
begin
  insert into unjudged_texts values (new.id) on conflict do nothing;
  return null;
end $$;
-- judged: trigger texts.texts_judged: changes nothing that the last release reads
create trigger texts_judged after update of state, scanned_to on texts for each row
  when (new.state = 'read' and (old.state <> 'read' or new.scanned_to <> old.scanned_to and new.scanned_to <= 2))
  execute function judge_text();

-- judged: trigger texts.texts_judged_new: changes nothing that the last release reads
create trigger texts_judged_new after insert on texts for each row
  when (new.state = 'read' and not new.is_scan_wanted) execute function judge_text();

-- A receipt that nobody has used goes with its text.
create function forget_receipt() returns trigger language plpgsql as $$
begin
  delete from receipts where sha256 = old.sha256 and duty_id is null;
  return null;
end $$;
-- judged: trigger texts.texts_receipt: changes nothing that the last release reads
create trigger texts_receipt after delete on texts for each row execute function forget_receipt();

-- A duty that is open again has not been ended by its receipt.
create function release_receipts() returns trigger language plpgsql as $$
begin
  update receipts set duty_id = null where duty_id = new.id;
  return null;
end $$;
-- judged: trigger duties.duties_receipts: changes nothing that the last release reads
create trigger duties_receipts after update of done_at on duties for each row
  when (old.done_at is not null and new.done_at is null) execute function release_receipts();

-- Open pages show receipts that are found.
create trigger receipts_note after insert or update on receipts for each row execute function note_mark('inbox');
