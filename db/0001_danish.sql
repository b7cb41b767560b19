-- Danish order for names: æ ø å last, aa as å, numbers by value. No query leans on the database's own
-- default, which differs between servers; an ICU upgrade then touches the indexes on these columns alone.
create collation danish (provider = icu, locale = 'da-u-kn-true');
