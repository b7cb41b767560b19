-- An investor's external K/S companies. The table is saved as a whole; its version tells who has seen another one.
create table reports (
  user_id bigint primary key references users,
  version bigint not null default 0,
  saved_at timestamptz,
  saved_by bigint references users
);
create table report_companies (
  id bigint generated always as identity primary key,
  user_id bigint not null references reports,
  place integer not null check (place > 0),
  name text collate danish not null check (name <> ''),
  cvr text collate "C" check (cvr ~ '^[0-9]{8}$'),
  share numeric(7, 4) check (share between 0 and 100),
  year integer check (year between 1800 and 2199),
  contribution bigint check (contribution >= 0),
  liability bigint check (liability >= 0),
  equity bigint,
  debt bigint check (debt >= 0),
  result bigint,
  locked boolean not null default false,
  constraint report_companies_place unique (user_id, place) deferrable initially deferred
);
