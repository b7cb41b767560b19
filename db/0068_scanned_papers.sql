-- Papers that wait to be scanned for viruses, in the order in which they are.
create index held_papers_scan on held_papers (held_at, blob_id) where cause = 'scan';
create index held_papers_virus on held_papers (blob_id) where cause = 'virus';
