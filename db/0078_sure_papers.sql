-- Whether papers that say for certain where they belong are put there without a press.
alter table office add places_sure boolean not null default false;
