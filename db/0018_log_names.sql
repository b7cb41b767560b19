-- What was called something else: the old and the new name of a project, a folder or a person, apart from the log itself,
-- so that a person's names can be forgotten while the entry stays.
create table log_names (
  log_id bigint primary key references log on delete cascade,
  before text collate "C" not null,
  after text collate "C" not null
);
