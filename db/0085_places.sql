-- Places in a folder, found after its lock in the statement that locks it: a function sees what was committed meanwhile, and the
-- statement itself does not. The keys are those of the package `fractional-indexing`, which a test compares.

create function whole_length(key text) returns integer immutable parallel safe language sql
return case when left(key, 1) < 'a' then 92 - ascii(key) else ascii(key) - 95 end;

-- The next whole key, one up or one down; null after the last.
create function next_whole(key text, way integer) returns text immutable parallel safe language plpgsql as $$
declare
  digits constant text := '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  turned constant text := case way when 1 then '0' else 'z' end;
  digit integer;
  head text;
begin
  for place in reverse length(key) .. 2 loop
    digit := strpos(digits, substr(key, place, 1)) + way;
    if digit between 1 and 62 then
      return left(key, place - 1) || substr(digits, digit, 1) || repeat(turned, length(key) - place);
    end if;
  end loop;
  head := substr(digits, strpos(digits, left(key, 1)) + way, 1);
  return case when head ~ '[A-Za-z]' then head || repeat(turned, whole_length(head) - 1) end;
end $$;

-- A fraction between two others, none of which ends with 0; null is after all of them.
create function middle_fraction(lower text, upper text) returns text immutable parallel safe language plpgsql as $$
declare
  digits constant text := '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  common text := '';
  low integer;
  high integer;
begin
  loop
    while upper <> '' and left(upper, 1) = coalesce(nullif(left(lower, 1), ''), '0') loop
      common := common || left(upper, 1);
      upper := substr(upper, 2);
      lower := substr(lower, 2);
    end loop;
    low := strpos(digits, coalesce(nullif(left(lower, 1), ''), '0'));
    high := case when upper is null then 63 else strpos(digits, left(upper, 1)) end;
    if high - low > 1 then return common || substr(digits, (low + high) / 2 + (low + high) % 2, 1); end if;
    if length(upper) > 1 then return common || left(upper, 1); end if;
    common := common || substr(digits, low, 1);
    lower := substr(lower, 2);
    upper := null;
  end loop;
end $$;

create function place_between(lower text, upper text) returns text immutable parallel safe language plpgsql as $$
declare
  whole text := left(coalesce(lower, upper), whole_length(coalesce(lower, upper)));
  following text;
begin
  if lower is null then
    if upper is null then return 'a0'; end if;
    if whole = 'A' || repeat('0', 26) then return whole || middle_fraction('', substr(upper, 28)); end if;
    return case when whole collate "C" < upper then whole else next_whole(whole, -1) end;
  end if;
  if left(upper, length(whole)) = whole then
    return whole || middle_fraction(substr(lower, length(whole) + 1), substr(upper, length(whole) + 1));
  end if;
  following := next_whole(whole, 1);
  if following is null or following collate "C" >= upper then
    return whole || middle_fraction(substr(lower, length(whole) + 1), null);
  end if;
  return following;
end $$;

-- As many places at the start of a folder, before all its files, deleted ones too.
create function places_at_start(folder bigint, count bigint) returns text[] language plpgsql as $$
declare
  place text := (select min(position) from files where folder_id = folder);
  places text[] := '{}';
begin
  for nth in 1 .. count loop
    place := place_between(null, place);
    places := place || places;
  end loop;
  return places;
end $$;

-- The place beyond the next live file; null if there is none.
create function place_beside(folder bigint, place text, is_up boolean) returns text language plpgsql as $$
declare
  neighbour text;
begin
  if is_up then
    select position into neighbour from files
    where folder_id = folder and position < place and deleted_at is null order by position desc limit 1;
    if not found then return null; end if;
    return place_between((select max(position) from files where folder_id = folder and position < neighbour), neighbour);
  end if;
  select position into neighbour from files
  where folder_id = folder and position > place and deleted_at is null order by position limit 1;
  if not found then return null; end if;
  return place_between(neighbour, (select min(position) from files where folder_id = folder and position > neighbour));
end $$;
