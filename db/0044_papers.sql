-- What papers say that are about to be saved, as it was told to whoever sends them: which projects and people they name, by id,
-- their year, and whether something looks like a CPR number, never the number. It is made from the text and goes with it:
-- copies leave it out.
create table paper_facts (
  text_id bigint primary key references texts on delete cascade,
  -- How many pages had text when they were looked at: scanned pages come one by one.
  pages integer not null check (pages >= 0),
  -- The first page with what looks like a CPR number.
  cpr_page integer check (cpr_page > 0),
  facts jsonb not null
);

-- What the office's own papers tell about where such papers belong: how many of each folder's papers have a word. One row, made
-- again from the files by a job: copies leave it out.
create table word_models (
  is_only boolean primary key default true check (is_only),
  model jsonb not null,
  -- The newest file that there was.
  newest_file bigint not null,
  trained_at timestamptz not null default now()
);
