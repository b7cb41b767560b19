-- What had its last day before this one is not followed: it is neither missing, late nor due. Null: all is followed.
alter table projects add followed_from date;
