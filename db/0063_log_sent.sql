-- How far the log is sent to another system, by the positions of its chain.
create table log_sent (
  is_only boolean primary key default true check (is_only),
  position bigint not null check (position >= 0)
);
