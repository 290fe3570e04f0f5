-- The outbox, for PostgreSQL 14 or newer: psql -v ON_ERROR_STOP=1 -d shop -f outbox.sql
-- What is booked becomes an event in the same transaction, and n8n sends it until the service has
-- recorded it. This file can run again. docs/outbox.md says how to set it up.
begin;
create schema if not exists outbox; set local search_path = outbox;
do $$ begin create role outbox_n8n login; -- n8n signs in with it.
exception when duplicate_object or unique_violation then null; end $$;
drop function if exists claim, record, follow, told;
drop view if exists transactions, news, counts, open;

-- Yours: a table with a row for each movement, and what a transaction has of a row.
create table if not exists public.movements (
  id text primary key, status text not null, amount numeric not null, currency text not null,
  reference text not null, scheme text not null, created_at timestamptz not null,
  sender text not null, sender_account text not null, sender_country text not null,
  recipient text not null, recipient_account text not null, recipient_country text not null);
create view transactions as
  select null as "eventId", id as "externalId", status as "externalStatus", amount::text, currency,
    reference, scheme as "paymentScheme", created_at as "externalCreatedAt",
    sender as "sender.externalEntityId", sender_account as "sender.externalPaymentChannelId",
    sender_country as "sender.countryCode", recipient as "recipient.externalEntityId",
    recipient_account as "recipient.externalPaymentChannelId",
    recipient_country as "recipient.countryCode" from public.movements;

create table if not exists events (
  external_id text generated always as (body ->> 'externalId') stored,
  id bigint generated always as identity, -- the order within a transaction
  primary key (external_id, id),
  event_id text not null unique default gen_random_uuid(),
  body jsonb not null,
  turn int not null,          -- The lowest goes first: how often it was tried; history from 1000.
  due_at timestamptz not null default now(), -- when the lease of a claim, or a pause, ends
  doubt_since timestamptz,    -- since when the service may have it
  asks text, told text,       -- what a person has to do, and the last news that a person got
  outcome text, message text, -- of the last attempt, "sent" while there is no answer
  booked_at timestamptz not null default now(), claimed_at timestamptz, recorded_at timestamptz);
create table if not exists service_events (id text primary key, body jsonb not null, told text);
create index if not exists by_turn on events (turn, id) where recorded_at is null and asks is null;
create index if not exists by_claim on events (claimed_at);
-- A new row or status is an event. A correction changes what is certainly not recorded, as far as
-- it has the wrong values; if the last event was sent, it is an event, too.
create or replace function book() returns trigger language plpgsql security definer
  set search_path = outbox, pg_temp set enable_seqscan = off as $$ -- off: tables grow while it runs
declare
  booked jsonb := (select to_jsonb(t) from transactions t where "externalId" = new.id);
  last jsonb := (select body from events where external_id = new.id order by id desc limit 1);
begin
  if booked -> 'externalStatus' = last -> 'externalStatus' then
    update events set event_id = gen_random_uuid(), due_at = now(), doubt_since = null,
      asks = null, told = null, body = (select jsonb_object_agg(key,
        case when value = last -> key then booked -> key else value end) from jsonb_each(body))
    where external_id = new.id and recorded_at is null and (doubt_since is null or asks <> '');
    last := (select body from events where external_id = new.id order by id desc limit 1);
  end if;
  insert into events (body, turn) select booked, 1000 * (last is null
    and new.created_at < now() - interval '1 day')::int where booked <> coalesce(last, '{}');
  return null;
end $$;
create or replace trigger outbox after insert or update on public.movements
  for each row execute function book();
insert into events (body, turn) select to_jsonb(t), 1000 from transactions t where not exists
  (select from events where external_id = t."externalId") order by t."externalCreatedAt";
-- What to send: new events, tried ones, history; of a transaction, only the first that is open.
-- `most` is the limit of a minute, for all n8n together. A lease has to outlast an execution.
create function claim(most int, lease interval default '15 minutes') returns setof transactions
  language plpgsql security definer set search_path = outbox, pg_temp set enable_seqscan = off
  as $$ begin perform pg_advisory_xact_lock(hashtext('outbox.claim'));
  return query with claimed as (
    update events set claimed_at = now(), doubt_since = coalesce(doubt_since, now()),
      due_at = now() + lease, outcome = 'sent', message = 'There was no answer.'
    where event_id = any (array(select event_id from events e where recorded_at is null
        and asks is null and due_at <= now() and not exists (select from events
          where external_id = e.external_id and id < e.id and recorded_at is null)
        and (doubt_since < now() - interval '23 hours') is not true
      order by turn, id limit greatest(0, most - (select count(*) from events where claimed_at >
        now() - lease and (outcome = 'sent' or claimed_at > now() - interval '55 seconds')))
      for update skip locked)) returning *
  ) select t.* from claimed, jsonb_populate_record(null::transactions,
    body || jsonb_build_object('eventId', event_id)) as t order by turn, id;
end $$;
-- Saves what the Payments node said. Pauses get longer, up to 10 minutes.
create function record(items jsonb) returns void security definer begin atomic
  update events set outcome = said, message = coalesce(i.message, events.message),
    turn = turn + (said <> 'notSent')::int,
    recorded_at = case when said in ('created', 'duplicate') then now() end,
    doubt_since = nullif(doubt_since, case when said <> 'unknown' then claimed_at end),
    due_at = now() + case said when 'notSent' then interval '0'
      else least(interval '30 seconds' * 2 ^ least(turn % 1000, 9), '10 minutes') end,
    asks = case when said = 'invalid' or said = 'rejected' and status in (400, 402, 413, 422, 451)
        then 'Correct it: ' || i.message
      when said = 'unknown' and status in (400, 409, 422) then 'Look it up. If the service has it, '
        'state its code in Codes for Recorded Already. Then send it again: ' || i.message end
  from jsonb_to_recordset(items) as i (event text, outcome text, status int, message text),
    coalesce(i.outcome, 'unknown') as said
  where event_id = event and claimed_at is not null and recorded_at is null;
end;
-- Saves an event of the service, once. If it has an Event ID of ours, that one is recorded.
create function follow(event jsonb) returns void security definer begin atomic
  insert into service_events values (event ->> 'id', event) on conflict do nothing;
  update events set recorded_at = now(), outcome = 'followed' where recorded_at is null
    and claimed_at is not null and event_id = event #>> '{data,metadata,eventId}';
end;
-- What isn't recorded yet, and why; how many are; and what no person was told of.
create view open as
  select e.*, concat(case when f.id < e.id then 'Waits for ' || f.status || '. ' end, coalesce(
      f.needs, case when f.outcome = 'sent' and f.due_at > now() then 'It is being sent.'
      when f.outcome <> '' then format('It goes again at %s: %s', f.due_at, f.message)
      when f.turn = 1000 then 'It goes after what is new.' else 'It is new.' end)) as why,
    case when f.id = e.id and f.needs <> '' then 'Needs a person' when e.turn <> 1000
      and e.booked_at < now() - interval '1 hour' then 'Open for an hour' end as news
  from events e, lateral (select *, body ->> 'externalStatus' as status, coalesce(asks, case when
      doubt_since < now() - interval '23 hours' then 'No answer for 23 hours. Look it up.' end)
      as needs from events where external_id = e.external_id and recorded_at is null
    order by id limit 1) as f where e.recorded_at is null;
create view counts as select coalesce(outcome, 'new') as outcome, count(*) from events group by 1;
create view news as
  select event_id as id, news, concat_ws(' ', external_id, why) as line from open
  where news <> coalesce(told, '')
  union all select id, 'Came back', concat_ws(' ', body #>> '{data,metadata,externalId}',
    body #>> '{data,status}') from service_events
  where told is null and body #>> '{data,status}' in ('REJECTED', 'FAILED', 'RETURNED');
create function told(news text, ids text[]) returns void security definer begin atomic
  update events set told = $1 where event_id = any ($2);
  update service_events set told = $1 where id = any ($2);
end;
revoke all on all functions in schema outbox from public;
grant usage on schema outbox to outbox_n8n;
grant execute on function claim, record, follow, told to outbox_n8n;
grant select on open, counts, news to outbox_n8n;
commit;
