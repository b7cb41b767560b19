-- Accounts whose password somebody tries again and again, until a day after the last try.
create table guessed_accounts (
  user_id bigint primary key references users,
  since timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  -- When administrators were last told by mail.
  told_at timestamptz
);
create trigger guessed_accounts_note after insert or delete on guessed_accounts
  for each row execute function note_mark('notices');
create constraint trigger guessed_accounts_tell after insert or delete on guessed_accounts
  deferrable initially deferred for each row
  when (case when current_setting('ringbind.is_telling', true) = 'yes' then false
    else set_config('ringbind.is_telling', 'yes', true) = 'yes' end)
  execute function tell_changes();

-- Whether an administrator gets a mail about such accounts.
alter table users add told_of_guessing boolean not null default false;

-- An administrator sees Ringbind as another person does ("Vis som"). It needs the administrator's own session as well.
create table views (
  hash bytea primary key,
  session_id bigint not null references sessions (id) on delete cascade,
  -- The administrator, and the person as whom they see it.
  viewer_id bigint not null references users,
  user_id bigint not null references users,
  started_at timestamptz not null default now()
);
create unique index views_session on views (session_id);
create index views_viewer on views (viewer_id);
create index views_user on views (user_id);

-- As whom somebody saw what they opened; user_id is who it really was.
alter table log add as_user_id bigint references users;
create index log_as_user on log (as_user_id, at, id) where as_user_id is not null;

-- However a view ends, the log says so, and open pages are asked about again.
create function note_view_end() returns trigger language plpgsql as $$
begin
  insert into log (act, at, user_id, subject_user_id)
  values ('view-ended', least(now(), old.started_at + interval '30 minutes'), old.viewer_id, old.user_id);
  perform note_changes(' s' || old.user_id);
  return null;
end $$;
create trigger views_end after delete on views for each row execute function note_view_end();

create function end_views() returns trigger language plpgsql as $$
begin
  delete from views where viewer_id = new.id or user_id = new.id;
  return null;
end $$;
create trigger users_end_views after update of role, deactivated_at on users for each row
  when ((old.role, old.deactivated_at) is distinct from (new.role, new.deactivated_at)) execute function end_views();
