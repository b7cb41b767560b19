-- When and how well the person of a session has proved who they are.
alter table sessions
  add proved_at timestamptz not null default now(),
  -- With a second factor, or in a way that needs none.
  add is_strong boolean not null default false;
