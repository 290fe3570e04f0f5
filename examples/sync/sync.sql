-- Sends what your database has and the payments service hasn't accepted yet. PostgreSQL 14 or newer:
--   psql -v ON_ERROR_STOP=1 -d shop -f sync.sql
-- Run it as the owner of what the view reads. It can run again. README.md says how to use it.
-- Nothing is added to your tables: no trigger, no column.
begin;
set local client_min_messages = warning;
create schema if not exists sync;
do $$ begin
  lock table sync.sent in share row exclusive mode; -- Waits for a claim that's running.
exception when undefined_table then null;
end $$;
drop view if exists sync.open, sync.transactions;
drop function if exists sync.compare, sync.why_it_fails, sync.claim, sync.record, sync.follow,
  sync.news, sync.told, sync.clean, sync.name;
drop type if exists sync.event;

-- Yours: the rows that the service is to know, in the order in which those of a transaction go.
-- A row is an event: its External ID in its status. In a history, it has an Event ID of its own, or
-- null if it was accepted without one: with an Event ID, it would go again.
-- Pass on what the node can read, such as a text: a cast or a division that fails for a row fails for
-- all of them.
create view sync.transactions as
select null::text as "eventId", id as "externalId", status as "externalStatus",
  amount, currency, reference, scheme as "paymentScheme", created_at as "externalCreatedAt",
  sender as "sender.externalEntityId", sender_account as "sender.externalPaymentChannelId",
  sender_country as "sender.countryCode", recipient as "recipient.externalEntityId",
  recipient_account as "recipient.externalPaymentChannelId", recipient_country as "recipient.countryCode"
from public.movements
where created_at > '2026-01-01'
order by created_at;

-- The rest is ours. This is what n8n gets: `event` and `attempt`, and the fields of a transaction.
create type sync.event as (event text, attempt int,
  "eventId" text, "externalId" text, "externalStatus" text, amount text, "baseAmount" text,
  currency text, reference text, "paymentScheme" text, "externalCreatedAt" timestamptz,
  "receivedAt" timestamptz, "sender.externalEntityId" text, "sender.externalPaymentChannelId" text,
  "sender.countryCode" text, "recipient.externalEntityId" text,
  "recipient.externalPaymentChannelId" text, "recipient.countryCode" text);

-- Refuses a view that nothing could be sent from.
do $$ declare refusal text; begin
  select case
    when field.name is null then format('"%s" isn''t a field of a transaction.', yours.name)
    when yours.name is null then format('The column "%s" is missing.', field.name)
    when field.type = 'timestamptz'::regtype then format('"%s" is a %s. A time needs an offset: make '
      'it a timestamptz, such as booked_at at time zone ''Europe/Berlin''.', yours.name, yours.type)
    else format('"%s" is a %s. Cast it to numeric or text.', yours.name, yours.type) end
  into refusal
  from (select attname as name, atttypid::regtype as type, typtype from pg_attribute
    join pg_type on pg_type.oid = atttypid
    where attrelid = 'sync.transactions'::regclass and attnum > 0) as yours
  full join (select attname as name, atttypid::regtype as type from pg_attribute
    where attrelid = 'sync.event'::regclass and attname not in ('event', 'attempt')) as field
  on field.name = yours.name
  where field.name is null or yours.name is null and field.name not in ('baseAmount', 'receivedAt')
    or field.type = 'timestamptz'::regtype and yours.type <> field.type
    or field.type = 'text'::regtype and yours.typtype <> 'e' and yours.type <> all
      ('{text,varchar,bpchar,uuid,smallint,integer,bigint,numeric}'::regtype[]);
  if refusal <> '' then raise exception 'sync.transactions: %', refusal; end if;
  if current_setting('server_encoding') <> 'UTF8' then
    raise exception 'The sync needs a database in UTF8, because a message can have any character.';
  end if;
  if not exists (select from pg_roles where rolname = 'sync_n8n') then create role sync_n8n login; end if;
exception when insufficient_privilege then
  raise exception 'You can''t create roles. Let an administrator run: create role sync_n8n login; '
    'and set its password.';
end $$;

-- What was sent, and what came of it. A row stays: it keeps an event from going twice.
create table if not exists sync.sent (
  external_id text,
  event text,                             -- the Event ID of a history, else the External Status
  primary key (external_id, event),
  state text not null check (state in (
    'sending',                            -- under way until due_at. Without an answer, it goes again
    'waiting',                            -- goes again by itself from due_at on
    'refused',                            -- isn't at the service. Goes when your row has changed
    'look up',                            -- may be at the service. Somebody has to look
    'accepted',                           -- is at the service
    'again', 'not there', 'never')),      -- what only a person says, who can also say 'accepted'
  body jsonb not null default '{}',       -- the row as it was sent
  doubt_since timestamptz,                -- since when the service may have it, or null
  attempts int not null default 0,
  first_at timestamptz not null default now(),
  claimed_at timestamptz, due_at timestamptz, decided_at timestamptz,
  event_id text, message text);           -- what the node said last
create table if not exists sync.events (id text primary key, body jsonb not null);
create table if not exists sync.told (id text primary key, at timestamptz not null default now());
insert into sync.told values ('nothing waits') on conflict do nothing;

-- Compares the view with what was sent: everything that isn't accepted, and what it waits for.
-- What the service may have goes again as it was, and everything else as it is now.
create function sync.compare() returns table (external_id text, event text, state text, why text,
  is_next boolean, body jsonb, "position" bigint, attempts int, first_at timestamptz,
  claimed_at timestamptz, due_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp
set timezone = 'UTC' set datestyle = 'ISO' set work_mem = '128MB' set jit = off
set row_security = off -- A policy that would hide rows ends it with a message.
as $$
  with yours as (
    select t, coalesce(t."externalId"::text, '') as external_id, row_number() over () as position,
      coalesce(nullif(t."eventId"::text, ''), t."externalStatus"::text, '') as event
    from sync.transactions as t
  ), twice as (
    select y.external_id, y.event from yours as y group by y.external_id, y.event having count(*) > 1
  ), open as (
    select coalesce(y.external_id, s.external_id) as external_id, coalesce(y.event, s.event) as event,
      s.state, s.body, s.message, s.doubt_since, s.attempts, s.first_at, s.claimed_at, s.due_at, y.position,
      d.event is not null as is_twice,
      case when y.position is null or s.doubt_since is not null and s.state <> 'not there' then s.body
        else to_jsonb(y.t) end as next_body
    from yours as y left join twice as d on (d.external_id, d.event) = (y.external_id, y.event)
    full join sync.sent as s on (s.external_id, s.event) = (y.external_id, y.event)
    where case s.state when 'accepted' then d.event is not null when 'never' then false else true end
      and (y.position is not null or s.doubt_since is not null and s.state <> 'not there')
  ), checked as materialized (
    select *, case
      when external_id = '' then 'It has no External ID.'
      when octet_length(external_id) + octet_length(event) > 2000 then 'Its External ID is too long.'
      when state = 'sending' and due_at > now() then null
      when is_twice then 'The view has it more than once.'
      when state not in ('sending', 'waiting') then null
      when doubt_since < now() - interval '23 hours' then 'There was no answer for 23 hours.'
      when position is null and external_id not in (select coalesce(t."externalId"::text, '')
        from sync.transactions as t) then 'The view no longer has it.' end as refusal
    from open
  ), judged as (
    select *, case
      when refusal is not null then case when doubt_since is null then 'refused' else 'look up' end
      when checked.state is null or checked.state = 'refused' and checked.body <> next_body then 'new'
      else checked.state end as judgment
    from checked
  )
  select external_id, event, judgment, coalesce(refusal, case when judgment <> 'new' then message end),
    -- One event of a transaction at a time, in the view's order.
    judgment not in ('refused', 'look up') and 1 = row_number() over (partition by external_id,
      judgment in ('refused', 'look up') order by judgment <> 'sending', position nulls first, claimed_at),
    next_body, position, attempts, first_at, claimed_at, due_at
  from judged
$$;

-- Says for which row the view fails, if it doesn't fail as a whole, and why: by halves, until one is left.
create function sync.why_it_fails() returns text language plpgsql security definer
set search_path = pg_catalog, pg_temp set timezone = 'UTC' set datestyle = 'ISO'
as $$ declare ids text[]; half int; begin
  perform count(to_jsonb(t)) from sync.transactions as t where t."externalId"::text = E'\n'; -- none
  ids := array(select distinct coalesce(t."externalId"::text, '') collate "C"
    from sync.transactions as t order by 1);
  loop
    half := (cardinality(ids) + 1) / 2;
    begin
      perform count(to_jsonb(t)) from sync.transactions as t
      where coalesce(t."externalId"::text, '') collate "C" between ids[1] and ids[half];
      ids := ids[half + 1:];
      exit when ids = '{}';
    exception when others then
      if cardinality(ids) = 1 then return format('%s: %s', ids[1], sqlerrm); end if;
      ids := ids[:half];
    end;
  end loop;
  return null;
exception when others then return sqlerrm;
end $$;

-- Takes what to send now: what is new, then new statuses of what is old, then by turns what was tried
-- and what is old. At most `most` in a minute by all n8n together. The lease has to be longer than an
-- execution.
create function sync.claim(most int, lease interval default '15 minutes') returns setof sync.event
language plpgsql security definer set search_path = pg_catalog, pg_temp
set lock_timeout = '10s' -- Whoever waits for somebody's open transaction takes one of your connections.
as $$ declare this_claim timestamptz; begin
  lock table sync.sent in share row exclusive mode; -- One claim at a time. Nobody else writes meanwhile.
  perform set_config('synchronous_commit', 'on', true); -- Nothing goes that a crash could forget.
  this_claim := clock_timestamp();
  insert into sync.sent as s
    (external_id, event, body, state, attempts, doubt_since, first_at, claimed_at, due_at)
  select c.external_id, c.event, c.body, 'sending', 1, this_claim, this_claim, this_claim,
    this_claim + lease
  from sync.compare() as c
  where c.is_next and (c.state in ('new', 'again') or coalesce(c.due_at, this_claim) <= this_claim)
  order by case when c.state <> 'new' then 3
      when (c.body ->> 'externalCreatedAt')::timestamptz > now() - interval '1 day' then 1
      when exists (select from sync.sent as o where o.external_id = c.external_id) then 2
      else 3 end,
    row_number() over (partition by c.state = 'new' order by c.claimed_at nulls first, c.position),
    c.state = 'new'
  limit greatest(0, most - (select count(*) from sync.sent
    where claimed_at > this_claim - interval '55 seconds'))
  on conflict (external_id, event) do update set body = excluded.body, state = 'sending',
    attempts = s.attempts + 1, claimed_at = this_claim, due_at = excluded.due_at, message = null,
    first_at = case when s.state in ('sending', 'waiting') then s.first_at else this_claim end,
    doubt_since = case when s.state = 'not there' then this_claim
      else coalesce(s.doubt_since, this_claim) end;
  return query select e.* from sync.sent as s, jsonb_populate_record(null::sync.event,
    s.body || jsonb_build_object('externalId', s.external_id, 'event', s.event, 'attempt', s.attempts)) as e
  where s.claimed_at = this_claim order by e."externalCreatedAt";
end $$;

-- Reads JSON with characters that PostgreSQL can't store. A backslash can itself be escaped.
create function sync.clean(said text) returns jsonb language sql immutable
as $$
  select regexp_replace(said, '(?<!\\)((\\\\)*)\\u(0000|d[89a-f][0-9a-f]{2})', '\1\\ufffd', 'gi')::jsonb
$$;

-- Saves what the Payments node said. An answer belongs to its attempt, but for one that says that
-- the service has it. A refusal says nothing about an earlier attempt without an answer.
create function sync.record(answers text) returns void language sql security definer
set search_path = pg_catalog, pg_temp set lock_timeout = '10s'
as $$
  with said as (
    select *, a.outcome in ('created', 'duplicate') as is_there,
      a.outcome in ('notSent', 'dryRun', 'invalid', 'rejected') as is_not_there,
      a.outcome in ('notSent', 'dryRun') as is_not_tried,
      a.outcome = 'invalid'
        or a.outcome = 'rejected' and a.status in ('400', '402', '413', '422', '451') as is_final,
      a.outcome = 'unknown' and a.status in ('400', '409', '422') as is_unclear
    from jsonb_to_recordset(sync.clean(answers)) as a ("externalId" text, event text, attempt int,
      outcome text, status text, message text, "eventId" text)
  )
  update sync.sent as s set message = coalesce(a.message, 'There was no answer.'),
    event_id = coalesce(a."eventId", s.event_id),
    state = case when a.is_there then 'accepted'
      -- Somebody said it of what has no answer for so long, and it wasn't tried.
      when a.is_not_tried and s.doubt_since < now() - interval '23 hours' then 'again'
      when a.is_final and s.doubt_since = s.claimed_at then 'refused'
      when a.is_final or a.is_unclear then 'look up' else 'waiting' end,
    doubt_since = nullif(s.doubt_since, case when a.is_not_there then s.claimed_at end),
    -- What the node itself finds invalid says nothing of the service.
    decided_at = case when a.is_there or a.is_unclear or a.outcome = 'rejected' and a.is_final then now() end,
    due_at = case when a.outcome = 'notSent' then s.claimed_at + interval '55 seconds'
      else now() + least(interval '30 seconds' * 2 ^ least(s.attempts, 10), interval '10 minutes') end
  from said as a
  where (s.external_id, s.event) = (a."externalId", a.event) and s.state <> 'accepted'
    and (a.is_there or s.state = 'sending' and s.attempts = a.attempt);
$$;

-- A short name for something.
create function sync.name(something jsonb) returns text language sql immutable
as $$ select encode(sha256(convert_to(something::text, 'UTF8')), 'hex') $$;

-- Saves an event of the service. If it has an Event ID of ours, the service has that one.
create function sync.follow(event text) returns void language sql security definer
set search_path = pg_catalog, pg_temp set lock_timeout = '10s'
as $$
  insert into sync.events select sync.name(body), body
  from sync.clean(event) as body on conflict do nothing;
  update sync.sent as s set state = 'accepted', decided_at = now()
  from (select sync.clean(event) #> '{data,metadata}' as our) as e
  where s.external_id = our ->> 'externalId' and our ->> 'eventId' in (s.event_id, s.event)
    and s.state <> 'accepted' and s.attempts > 0;
$$;

-- What isn't accepted yet, and why.
create view sync.open as
select external_id, event, state, why, attempts, first_at, due_at, body, state in ('refused', 'look up')
  or state <> 'new' and (first_at < now() - interval '23 hours') is true as needs_a_person
from sync.compare();

-- What nobody was told in the last day. A row that was tried before something else was accepted or
-- refused doesn't mean that nothing gets on.
create function sync.news() returns table (id text, news text, line text) language plpgsql
security definer set search_path = pg_catalog, pg_temp set lock_timeout = '10s'
as $$ declare decided timestamptz := (select max(decided_at) from sync.sent); last timestamptz;
  waiting bigint; reason text; persons sync.open[]; failure text;
begin
  begin
    select count(*) filter (where is_waiting), mode() within group (order by why) filter (where is_waiting),
      array_agg(o) filter (where needs_a_person) into waiting, reason, persons
    from sync.open as o, lateral (select not needs_a_person
      and (first_at > decided - interval '1 hour') is not false as is_waiting) as w;
    if waiting = 0 then
      update sync.told set at = now() where told.id = 'nothing waits';
      delete from sync.told where told.id = 'stuck' and (decided < at) is not false;
    end if;
    delete from sync.told where told.id = 'view';
  exception when others then
    failure := coalesce(sync.why_it_fails(), sqlerrm); reason := 'The view fails.';
  end;
  select greatest(decided, at) into last from sync.told where told.id = 'nothing waits';
  return query
  with now_so as (
    select 'view' as id, 'The view fails' as news, failure as line where failure is not null
    union all select 'stuck', 'Nothing gets on', format('%s wait since %s. %s',
      coalesce(waiting::text, 'Rows'), last, coalesce(reason, 'Does the workflow Send run?'))
    where last < now() - interval '20 minutes'
    union all select 'moving', 'It gets on again', '' from sync.told as t
    where t.id = 'stuck' and t.at <= decided
    union select sync.name(jsonb_build_array(o.external_id, o.event, o.body)), 'Needs a person',
      concat_ws(' ', o.external_id, o.event) || format(': %s: %s', o.state, o.why)
    from unnest(persons) as o
    union all select e.id, 'Came back', concat_ws(' ', body #>> '{data,metadata,externalId}',
      body #>> '{data,status}') from sync.events as e
    where body #>> '{data,status}' in ('REJECTED', 'FAILED', 'RETURNED')
  )
  select * from now_so as n where not exists (select from sync.told as t where t.id = n.id
    and (t.at > now() - interval '1 day' or n.news not in ('Needs a person', 'The view fails')));
end $$;

-- Remembers what somebody was told.
create function sync.told(ids text[]) returns void language sql security definer
set search_path = pg_catalog, pg_temp
as $$
  insert into sync.told select distinct unnest(ids) on conflict (id) do update set at = now();
  delete from sync.told where 'moving' = any (ids) and id in ('stuck', 'moving');
$$;

revoke all on all functions in schema sync from public;
grant usage on schema sync to sync_n8n;
grant execute on function sync.claim, sync.record, sync.follow, sync.news, sync.told to sync_n8n;
select state, count(*) from sync.open group by state; -- The view is read once before it's installed.
commit;
