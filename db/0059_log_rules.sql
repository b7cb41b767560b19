-- What the role that serves could still do to the log, it can no longer: see decision 76.

-- How long addresses and former names are kept. Set at the start by the log's owner, from LOG_ADDRESS_MONTHS.
create table log_rules (
  is_only boolean primary key default true check (is_only),
  forget_months integer not null default 12 check (forget_months > 0)
);
insert into log_rules default values;

-- An entry's time is that of its writing, at most an hour before: reads are written down a little later than they happen. Its number
-- is the next one. Only the owner may write others, as a restored copy does.
create function date_log_entry() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member') then return new; end if;
  if new.id <> currval(format('%I.log_id_seq', tg_table_schema)::regclass) then
    raise insufficient_privilege using message = 'permission denied for the number of a log entry';
  end if;
  if new.at not between clock_timestamp() - interval '1 hour' and clock_timestamp() then new.at := clock_timestamp(); end if;
  return new;
end $$;
-- judged: trigger log.log_date: leaves what the last release writes as it is
create trigger log_date before insert on log for each row execute function date_log_entry();

-- Moves the marks of the chain as far as entries are linked. The role that serves may not move them: what lies below them is not linked
-- until the night.
create function move_log_marks() returns void language sql volatile security definer
begin atomic
  insert into log_chain_marks default values on conflict do nothing;
  update log_chain_marks set linked_to = next_linked_to, next_transaction = pg_snapshot_xmax(pg_current_snapshot()),
    next_linked_to = coalesce((select max(log_id) from log_chain), 0), next_at = now()
  where next_transaction is null
    or next_at < now() - interval '1 minute' and next_transaction <= pg_snapshot_xmin(pg_current_snapshot());
end;

-- Lets all of the log be looked through again.
create function reset_log_marks() returns void language sql volatile security definer
begin atomic
  update log_chain_marks set linked_to = 0, next_linked_to = 0;
end;

-- Nothing younger than the rule is forgotten, whatever is asked for.
-- judged: function forget_log_addresses(integer): called in the same way, and forgets later at most
-- judged: function forget_log_names(integer): called in the same way, and forgets later at most
create or replace function forget_log_addresses(months integer) returns bigint language sql volatile security definer
begin atomic
  select pg_advisory_xact_lock(hashtextextended('log chain', 0));
  with forgotten as (
    update log set address = null
    where address is not null
      and at < now() - make_interval(months => greatest(months, coalesce((select forget_months from log_rules), 12)))
    returning id
  ), salts as (
    update log_chain set address_salt = null from forgotten where log_id = forgotten.id
  )
  select count(*) from forgotten;
end;

create or replace function forget_log_names(months integer) returns bigint language sql volatile security definer
begin atomic
  select pg_advisory_xact_lock(hashtextextended('log chain', 0));
  with forgotten as (
    delete from log_names using log
    where log.id = log_names.log_id and log.act in ('user-changed', 'user-removed', 'profile-changed')
      and log.at < now() - make_interval(months => greatest(months, coalesce((select forget_months from log_rules), 12)))
    returning log_names.log_id
  ), salts as (
    update log_chain set names_salt = null from forgotten where log_chain.log_id = forgotten.log_id
  )
  select count(*) from forgotten;
end;
