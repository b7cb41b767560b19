-- What administrators have decided about the list of first steps on their start page: 'mail' (we send none), 'folders'
-- (the template is right as it is), 'hidden' (the list is put away).
alter table office add first_steps text[] collate "C" not null default '{}';

-- An office that is at work already needs no first steps.
insert into office (first_steps) select array['hidden'] where exists (select from files)
on conflict (is_only) do update set first_steps = excluded.first_steps;
