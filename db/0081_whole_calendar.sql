-- A calendar that also has the duties that others or nobody are responsible for.
alter table calendar_feeds add shows_all boolean not null default false;
