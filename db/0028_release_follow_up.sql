-- Why the mail to a person could not be delivered, in the mail server's words; of the latest try, while more follow.
alter table release_people add reason text collate "C" check (length(reason) <= 300);
