-- The role that serves writes and reads the log, and cannot change it: see decision 76. Which role owns what is settled at each start,
-- by `protectLog`, since names of roles differ from place to place.

-- Only new entries are told. What is forgotten sets off no trigger: since PostgreSQL 18 one would run with the rights of the log's owner.
-- judged: trigger log.log_tell: tells of new entries as before; the last release is told of nothing else
drop trigger log_tell on log;
create constraint trigger log_tell after insert on log
  deferrable initially deferred for each row
  when (case when current_setting('ringbind.is_telling', true) = 'yes' then false
    else set_config('ringbind.is_telling', 'yes', true) = 'yes' end)
  execute function tell_changes();

-- The only ways to change entries, with the rights of the log's owner. Names in them were looked up when they were made, so that no
-- search path leads them to other tables or functions. Nothing younger than a month is forgotten, whatever is asked for.

-- Deletes the IP addresses of entries older than this. Returns how many.
create function forget_log_addresses(months integer) returns bigint language sql volatile security definer
begin atomic
  select pg_advisory_xact_lock(hashtextextended('log chain', 0));
  with forgotten as (
    update log set address = null
    where address is not null and at < now() - make_interval(months => greatest(months, 1))
    returning id
  ), salts as (
    update log_chain set address_salt = null from forgotten where log_id = forgotten.id
  )
  select count(*) from forgotten;
end;

-- Deletes people's former names in entries older than this. Returns how many.
create function forget_log_names(months integer) returns bigint language sql volatile security definer
begin atomic
  select pg_advisory_xact_lock(hashtextextended('log chain', 0));
  with forgotten as (
    delete from log_names using log
    where log.id = log_names.log_id and log.act in ('user-changed', 'user-removed', 'profile-changed')
      and log.at < now() - make_interval(months => greatest(months, 1))
    returning log_names.log_id
  ), salts as (
    update log_chain set names_salt = null from forgotten where log_chain.log_id = forgotten.log_id
  )
  select count(*) from forgotten;
end;
