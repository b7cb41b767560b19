-- Words that mean the same, as the office says: one row for each word of a line. `term` is the word as it is compared,
-- `key` is equal for all its forms.
create table search_words (
  line integer not null,
  place integer not null,
  word text collate "C" not null,
  term text collate "C" not null,
  key text collate "C" not null,
  primary key (line, place)
);
