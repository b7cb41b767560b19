-- The office's own name, logo and contact, which everybody sees: one row, or none until something is saved.
create table office (
  is_only boolean primary key default true check (is_only),
  name text collate danish not null default '',
  contact_person text collate danish not null default '',
  phone text collate "C" not null default '',
  email text collate "C" not null default '',
  -- Tells a form that was opened before somebody else saved.
  version bigint not null default 0,
  saved_by bigint references users,
  -- A PNG; its key is made of its bytes.
  logo bytea,
  logo_key text collate "C",
  logo_width integer,
  logo_height integer,
  check (num_nulls(logo, logo_key, logo_width, logo_height) in (0, 4)),
  -- When the mail server was last tried, so that it is not tried too often.
  mail_tried_at timestamptz
);
