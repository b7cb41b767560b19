-- Whether investors and advisers may make API keys. Those they have go on working.
alter table office add outside_tokens boolean not null default false;
