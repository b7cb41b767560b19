-- Mails about an access that the office gave: to the investor and the adviser.
alter table mailings
  add lending_id bigint references lendings on delete cascade,
  drop constraint mailings_check,
  add constraint mailings_check check (num_nonnulls(release_id, import_id, lending_id) = 1);
drop index mailings_waiting;
create unique index mailings_waiting on mailings (kind, coalesce(release_id, import_id, lending_id))
  where left_at is null and regretted_at is null;
create index mailings_lending on mailings (lending_id);
