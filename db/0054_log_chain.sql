-- The log proves itself: each entry is linked to the one before it, in the order in which they were found. A link's hash covers the
-- entry and the hash before it, so that a changed or removed entry breaks every later link.
create table log_chain (
  position bigint primary key check (position > 0),
  log_id bigint not null unique references log,
  hash bytea not null check (length(hash) = 32),
  -- What may be erased later stands in the hash by its mark: the hash of a salt and the value. Erasing removes value and salt.
  address_salt bytea,
  address_mark bytea,
  names_salt bytea,
  names_mark bytea
);

-- Every entry up to the first number is linked. The second becomes the first when every transaction before the given one has ended.
create table log_chain_marks (
  is_only boolean primary key default true check (is_only),
  linked_to bigint not null default 0,
  next_linked_to bigint not null default 0,
  next_transaction xid8
);
insert into log_chain_marks default values;
