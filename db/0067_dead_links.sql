-- Whose a link was that is used or too old, so that its page can send them a new one. It opens nothing.
create table dead_links (
  hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  died_at timestamptz not null default now()
);
create index dead_links_user on dead_links (user_id);
create index dead_links_died on dead_links (died_at);

create function keep_dead_link() returns trigger language plpgsql as $$
begin
  insert into dead_links (hash, user_id) select old.hash, id from users where id = old.user_id
  on conflict do nothing;
  return null;
end $$;

-- judged: trigger link_tokens.link_tokens_dead: writes to a table that 1.0.0 does not know
create trigger link_tokens_dead after delete on link_tokens
  for each row when (old.user_id is not null) execute function keep_dead_link();
