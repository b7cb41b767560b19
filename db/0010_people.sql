-- A person's face: small squares that belong to the row, and come and go with it.
alter table users
  -- Part of the image's address: a new image has a new one, so that browsers may keep the old one for as long as they like.
  add image_key text collate "C" unique check (image_key ~ '^[0-9a-f]{32}$');
create table profile_images (
  user_id bigint primary key references users,
  small bytea not null,
  large bytea not null
);

-- What a person can end one of their sessions by.
alter table sessions add id bigint generated always as identity unique;
