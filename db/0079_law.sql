-- locks: obligations, duties
-- judged: constraint obligations.obligations_due_rule_check: allows more
-- judged: constraint duties.duties_period_check: allows more, and is read through in a moment
-- judged: constraint obligations.obligations_after_days_check: about a column that 1.0.0 leaves as it is
alter table obligations
  -- Filed with an authority: somebody says that it is done, and never a paper in a folder.
  add is_filing boolean not null default false,
  -- Fixed days of the year, each for the period of the calendar before it: '03-01'.
  add due_days text[] collate "C" not null default '{}',
  -- Days after something has happened.
  add after_days smallint not null default 14 check (after_days between 0 and 365),
  -- Does not bind the projects that this other one binds. No foreign key: a copy is restored table by table, each before those that point at it.
  add unless_id bigint,
  -- What Ringbind itself said of it last: a field that is still so gets new words and days, and one that the office has changed does not.
  add shipped jsonb,
  drop constraint obligations_due_rule_check,
  add constraint obligations_due_rule_check check (due_rule in ('months', 'day', 'days', 'date', 'event'));
-- The duty of an event has its day as period: '2026-03-14'.
alter table duties
  drop constraint duties_period_check,
  add constraint duties_period_check check (period ~ '^\d{4}(-(H[12]|Q[1-4]|O|\d\d-\d\d))?$');

-- What 1.0.0 shipped.
update obligations set shipped = jsonb_build_object('rhythm', 'year', 'holds_until', null, 'due_months', 6, 'due_day', 1,
  'due_month', 1, 'due_on', null, 'due_days', '[]'::jsonb, 'after_days', 14, 'reach', 'fitting', 'more_than', null,
  'statuses', '["active", "closing"]'::jsonb, 'folder_name', '', 'is_filing', false, 'source_url', '', 'holds_since', null)
  || was.fields
from (values
  ('annual-report', jsonb_build_object('title', 'Årsrapport', 'explanation',
    'Årsrapporten skal være modtaget i Erhvervsstyrelsen senest 6 måneder efter regnskabsårets afslutning, hvis kommanditselskabets komplementarer er kapitalselskaber. Er selskabet undtaget, indsendes en undtagelseserklæring inden for samme frist.',
    'source', 'Årsregnskabsloven § 138, stk. 1 (undtagelseserklæring: §§ 145-146)',
    'source_url', 'https://danskelove.dk/%C3%A5rsregnskabsloven/138-148',
    'holds_since', '2021-12-31', 'due_rule', 'months', 'folder_name', 'Årsrapport')),
  ('tax-statement', jsonb_build_object('title', 'Skatteoplysninger til ejere og Skattestyrelsen', 'explanation',
    'Har virksomheden flere end ti ejere, laves et fælles skatteregnskab for de ejere, der ikke deltager væsentligt i driften. Det indberettes til Skattestyrelsen senest 15. april året efter, og ejerne underrettes inden for samme frist. Ringbind tæller projektets investorer.',
    'source', 'Skatteindberetningsloven § 42, jf. ligningsloven § 29',
    'source_url', 'https://elov.dk/skatteindberetningsloven/paragraf/42',
    'holds_since', '2019-01-01', 'due_rule', 'day', 'due_day', 15, 'due_month', 4, 'more_than', 10,
    'folder_name', 'Skatteoplysninger')),
  ('crs-fatca', jsonb_build_object('title', 'CRS- og FATCA-indberetning', 'explanation',
    'Er selskabet et indberettende finansielt institut, skal konti med tilknytning til udlandet indberettes til Skattestyrelsen senest 1. maj året efter. De færreste kommanditselskaber er det: vælg selv de projekter, det gælder.',
    'source', 'Skatteindberetningsloven § 22, og bekendtgørelse om identifikation og indberetning af finansielle konti med tilknytning til udlandet § 107',
    'source_url', 'https://elov.dk/bekendtgorelse-om-identifikation-og-indberetning-af-finansielle-konti-med-tilknytning-til-udlandet/paragraf/107',
    'holds_since', '2019-01-01', 'due_rule', 'day', 'due_day', 1, 'due_month', 5, 'reach', 'chosen')),
  ('beneficial-owners', jsonb_build_object('title', 'Reelle ejere undersøgt', 'explanation',
    'Mindst én gang om året skal det undersøges, om oplysningerne om reelle ejere stadig passer, og resultatet fremlægges på det møde, hvor årsrapporten godkendes. Fristen her er sat en måned før årsrapportens, så det er på plads i tide.',
    'source', 'Lov om visse erhvervsdrivende virksomheder (reelle ejere)', 'source_url', 'https://elov.dk/erhvervsvirksomhedsloven',
    'holds_since', '2020-01-10', 'due_rule', 'months', 'due_months', 5)),
  ('general-meeting', jsonb_build_object('title', 'Generalforsamling', 'explanation',
    'Den ordinære generalforsamling holdes efter vedtægterne, og i så god tid, at den godkendte årsrapport kan nå frem til Erhvervsstyrelsen. Ret fristen, hvis vedtægterne siger noget andet.',
    'source', 'Selskabets vedtægter', 'due_rule', 'months', 'folder_name', 'Generalforsamling'))
) as was (code, fields) where obligations.code = was.code;

-- Whom the number of investors has bound to the common tax accounts stays bound: the office decides from now on.
insert into obligation_choices (obligation_id, project_id, is_bound)
select distinct obligations.id, duties.project_id, true
from obligations join duties on duties.obligation_id = obligations.id
where obligations.code = 'tax-statement' and obligations.reach = 'fitting' and obligations.more_than = 10
  and duties.done_at is null
on conflict do nothing;
