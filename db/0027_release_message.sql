-- What the office adds to the mail about a release, and whether it goes also to those who want no such mails.
alter table releases
  add message text collate "C" not null default '',
  add is_for_everybody boolean not null default false;
