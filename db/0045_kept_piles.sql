-- A pile of files in an upload form that is not saved yet, as its person left it: a closed tab, a crash and another computer find
-- it again for a day. It belongs to temporary files, which do not live longer: copies leave both tables out.
create table kept_piles (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  -- The address of the form.
  form text not null check (char_length(form) <= 200),
  -- The name that the page has given its pile: each page has its own, so that two pages do not write over each other.
  key text not null check (key ~ '^[0-9a-f]{16}$'),
  -- How the files are to be published.
  publish text not null check (publish in ('now', 'draft', 'later')),
  publish_day text check (char_length(publish_day) <= 40),
  publish_time text not null check (char_length(publish_time) <= 10),
  changed_at timestamptz not null default now(),
  unique (user_id, key)
);

create table kept_files (
  pile_id bigint not null references kept_piles on delete cascade,
  -- The file's number in its page.
  id text not null check (id ~ '^[a-z0-9]{1,40}$'),
  name text not null check (char_length(name) <= 255),
  -- What it is called on its owner's disk: a file that was not sent is known again by that and its size.
  original text not null check (char_length(original) <= 255),
  size bigint not null check (size > 0),
  -- The temporary file; null while it is not sent. No foreign key: a form of 2,000 files would look here for each of them.
  hash_name text,
  -- What becomes of it if it is there already.
  choice text check (choice in ('version', 'keep', 'skip')),
  -- What the number in its name means, if it is a project's and a person's.
  meaning text check (meaning in ('project', 'person')),
  -- The kinds of contradictions that were seen.
  acknowledged text[] not null default '{}' check (cardinality(acknowledged) <= 8),
  created_at timestamptz not null default now(),
  primary key (pile_id, id)
);
create index kept_files_hash_name on kept_files (hash_name) where hash_name is not null;
