create extension if not exists pg_trgm;

-- A text as it is searched: lower case, without accents, the Danish way: é is e, ä is æ, ö is ø, and å is a letter.
create function folded(txt text) returns text immutable strict parallel safe language sql
return regexp_replace(
  replace(replace(replace(
    normalize(lower(txt collate danish), NFD),
    U&'a\030A', 'å'), U&'a\0308', 'æ'), U&'o\0308', 'ø') collate "C",
  '[\u0300-\u036f]', '', 'g');

-- What a search looks in: the folded text, and once more with aa written å, when that makes a difference.
-- So å finds aa and aa finds å, a finds aa, and a does not find å.
create function search_key(txt text) returns text immutable strict parallel safe language sql
return case
  when position('aa' in folded(txt)) > 0 then folded(txt) || E'\n' || replace(folded(txt), 'aa', 'å')
  else folded(txt)
end;

create table projects (
  id bigint generated always as identity primary key,
  -- The key inside the parentheses of a file's name.
  number text collate danish not null check (number <> ''),
  name text collate danish not null check (name <> ''),
  cvr text collate "C" check (cvr ~ '^[0-9]{8}$'),
  status text collate "C" not null default 'active' check (status in ('active', 'closing', 'sold')),
  created_at timestamptz not null default now(),
  -- When the project itself was changed last.
  updated_at timestamptz not null default now(),
  -- Over all its folders, for those who see them all, kept by the folders' trigger: adding up every folder of the
  -- office, only to sort by it, costs more than the page.
  files_count integer not null default 0 check (files_count >= 0),
  changed_at timestamptz not null default now(),
  search text collate "C" not null
    generated always as (search_key(number || E'\n' || name || E'\n' || coalesce(cvr, ''))) stored
);
create unique index projects_number on projects (number);
create index projects_name on projects (name, id);
create index projects_search on projects using gin (search gin_trgm_ops);

-- Investors and auditors see the projects they belong to.
create table project_members (
  project_id bigint not null references projects,
  user_id bigint not null references users,
  since timestamptz not null default now(),
  primary key (project_id, user_id)
);
create index project_members_user on project_members (user_id, project_id);

-- A project's folders. Those of no project are the template that new projects take theirs from.
create table folders (
  id bigint generated always as identity primary key,
  project_id bigint references projects,
  name text collate danish not null check (name <> ''),
  -- Other names that lead a file here.
  sub_names text[] collate danish not null default '{}',
  visible_to_investors boolean not null,
  place integer not null check (place > 0),
  files_count integer not null default 0 check (files_count >= 0),
  -- When the folder, or what is in it, was changed last.
  changed_at timestamptz not null default now(),
  unique nulls not distinct (project_id, place) deferrable initially deferred
);

create function keep_contents() returns trigger language plpgsql as $$
begin
  update projects set
    files_count = files_count + coalesce(new.files_count, 0) - coalesce(old.files_count, 0),
    changed_at = greatest(changed_at, coalesce(new.changed_at, now()))
  where id = coalesce(new.project_id, old.project_id);
  return null;
end $$;
create trigger folders_contents after insert or delete or update of files_count, changed_at on folders
  for each row execute function keep_contents();

-- Every name and sub name of a project's folders, as names are compared; no two of a project's are the same.
create table folder_names (
  project_id bigint references projects,
  key text collate "C" not null,
  folder_id bigint not null references folders on delete cascade,
  constraint folder_names_key unique nulls not distinct (project_id, key)
);
create index folder_names_folder on folder_names (folder_id);

insert into folders (name, sub_names, visible_to_investors, place) values
  ('Årsrapport', '{Årsrapport 2020,Årsrapport KS}', true, 1),
  ('Kvartalsrapport', '{}', true, 2),
  ('Budget', '{}', true, 3),
  ('Generalforsamling', '{}', true, 4),
  ('Bestyrelsesmøder', '{}', false, 5),
  ('Lejekontrakter', '{}', true, 6),
  ('Finansiering', '{}', false, 7),
  ('Forsikring', '{}', true, 8),
  ('Vedtægter', '{}', true, 9),
  ('Tegningsmateriale', '{}', true, 10),
  ('Vurderinger', '{}', true, 11),
  ('Skatteoplysninger', '{}', true, 12),
  ('Diverse', '{}', false, 13);
insert into folder_names (key, folder_id)
  select key, id from folders, unnest(name || sub_names) as key;

-- People, as they are searched and sorted; the app keeps both when a name, an e-mail or a number changes.
alter table users
  add search text collate "C" not null default '',
  add first_number text collate danish;
update users set
  first_number = (select min(number collate danish) from user_numbers where user_id = users.id),
  search = search_key(concat_ws(E'\n', name, email,
    (select string_agg(number, E'\n') from user_numbers where user_id = users.id)));
create index users_search on users using gin (search gin_trgm_ops);
create index users_name on users (name, id);
create index users_email on users ((email collate danish), id);
-- By the roles' Danish names. Both ways, since within a role people always come by name.
create function role_order(role text) returns integer immutable strict parallel safe language sql
return array_position(array['administrator', 'investor', 'employee', 'auditor'], role);
create index users_role on users (role_order(role), name, id);
create index users_role_down on users (role_order(role) desc, name, id);
-- Who has no number comes last either way.
create index users_number on users (first_number nulls last, name, id);
create index users_number_down on users (first_number desc nulls last, name, id);

-- How many people there are, kept, since counting them costs more than showing a page of them.
create table counts (
  name text collate "C" primary key,
  count bigint not null
);
insert into counts select 'users', count(*) from users;
create function count_users() returns trigger language plpgsql as $$
begin
  update counts set count = count + (select count(*) from changed) * (case tg_op when 'INSERT' then 1 else -1 end)
  where name = 'users';
  return null;
end $$;
create trigger users_added after insert on users
  referencing new table as changed for each statement execute function count_users();
create trigger users_removed after delete on users
  referencing old table as changed for each statement execute function count_users();

-- What an act concerned. A folder may be gone.
alter table log
  add project_id bigint references projects,
  add folder_id bigint;
create index log_project on log (project_id, id);
