-- Invitations to people of the list are about nothing but themselves.
alter table mailings
  drop constraint mailings_check,
  add constraint mailings_check check (
    num_nonnulls(release_id, import_id, lending_id) = case when kind = 'invited-people' then 0 else 1 end);
