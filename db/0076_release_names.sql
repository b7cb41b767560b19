-- The name that the office has given a release; null for the one made of its papers.
alter table releases add name text collate danish;
