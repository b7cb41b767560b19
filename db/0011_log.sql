-- What an id alone does not tell, in a few words of the program's own: which role, which fields. Nothing of a person's.
alter table log add detail text collate "C";

-- The log is read from its newest entry, within a period, of a person, a project, a file or an act.
drop index log_user, log_subject_user, log_project, log_file;
create index log_at on log (at, id);
create index log_act on log (act, at, id);
-- With what else they are filtered by, so that the entries themselves need not be fetched to be sifted.
create index log_user on log (user_id, at, id) include (act, project_id);
create index log_subject_user on log (subject_user_id, at, id) include (act, project_id, user_id)
  where subject_user_id is not null;
create index log_project on log (project_id, at, id) include (act) where project_id is not null;
create index log_file on log (file_id, at, id) where file_id is not null;
