-- The menu counts the papers that wait for a yes at each page of the office.
create index held_papers_doubted on held_papers (blob_id) where cause in ('doubt', 'virus', 'unscanned');
