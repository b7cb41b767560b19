-- Holds the number until the migration that belongs here is merged.
select 1;
