-- The log proves itself: each entry is linked to the one before it, in the order in which they were found. A link's hash covers the
-- entry and the hash before it, so that a changed or removed entry breaks every later link.
create table log_chain (
  position bigint primary key check (position > 0),
  -- A removed entry takes its link along; the places of the others show that it is missing.
  log_id bigint not null unique references log on delete cascade,
  hash bytea not null check (length(hash) = 32),
  -- What may be erased later stands in the hash by its mark: the hash of a salt and the value. Erasing removes value and salt.
  address_salt bytea,
  address_mark bytea,
  names_salt bytea,
  names_mark bytea
);

-- Every entry up to the first number is linked. The second becomes the first a minute later, when every transaction before the given
-- one has ended. The minute is for writers that have a number already and no transaction id yet.
create table log_chain_marks (
  is_only boolean primary key default true check (is_only),
  linked_to bigint not null default 0,
  next_linked_to bigint not null default 0,
  next_transaction xid8,
  next_at timestamptz not null default now()
);
insert into log_chain_marks default values;
