-- Who would see which bytes, as it was when a wish was asked for. Carrying it out must not show more. Null: not known.
alter table asked_acts add sight jsonb;
-- A wish that nobody answers lapses.
alter table asked_acts drop constraint asked_acts_state_check;
alter table asked_acts add constraint asked_acts_state_check
  check (state in ('waiting', 'approved', 'rejected', 'taken-back', 'lapsed'));

-- Who outside the office saw these bytes when others took their place. Null: not known.
alter table file_versions add seen_by bigint[];
