-- The payout ledger, for PostgreSQL 14 or newer: psql -v ON_ERROR_STOP=1 -d payouts -f schema.sql
-- Whoever runs this file owns the rules. n8n signs in as payouts_n8n, which can call functions and
-- read two views. docs/payouts.md says how to set it up, and what to change.
begin;
create schema payouts;
set local search_path = payouts;
do $$ begin
  create role payouts_n8n login;
  alter role payouts_n8n set jit = off; -- Compiling takes longer than these queries.
exception when duplicate_object or unique_violation then null;
end $$;

-- What the owner enters and changes -----------------------------------------------------------

create table settings (
  one_row boolean primary key default true check (one_row),
  time_zone text not null default 'UTC',
  retry_minutes int not null default 10,    -- after which a payment without a result is sent again
  retry_hours int not null default 23,      -- after which it isn't
  duplicate_days int not null default 60,   -- in which the same amount to the same payee is held
  unusual_times numeric not null default 3, -- the payee's highest payment
  stopped text                              -- Who stopped all payments, and why.
);
insert into settings default values;

create table people (
  email text primary key check (email = lower(email)),
  may_upload boolean not null default false,
  may_approve boolean not null default false
);

create table countries (country text primary key check (country ~ '^[A-Z]{2}$'));

-- What can be paid: by whom, and how much in a day.
create table currencies (
  currency text primary key check (currency ~ '^[A-Z]{3}$'),
  decimals int not null default 2,
  per_day numeric not null,
  scheme text not null,
  sender_entity text not null,
  sender_account text not null,
  sender_country text not null
);

-- Amounts above so much need so many approvers. Every payment needs one at least.
create table tiers (
  currency text references currencies,
  above numeric,
  approvers int not null check (approvers >= 1),
  primary key (currency, above)
);

-- What functions write: approvals, attempts, and events are only added -------------------------

-- Four eyes for accounts: not who entered it.
create table accounts (
  payee text,
  account text,
  country text references countries,
  entered_by text not null references people,
  approved_by text references people,
  primary key (payee, account, country),
  check (approved_by <> entered_by)
);
create index on accounts (account);

create table uploads (
  upload int generated always as identity primary key,
  person text not null references people,
  file text not null,
  at timestamptz not null default now()
);

create type state as enum ('waiting', 'declined', 'approved', 'rejected', 'sending', 'accepted',
  'failed', 'paid', 'returned');

-- One row for each payment. Another try of an invoice is possible once the first can't pay.
create table payments (
  external_id text primary key,
  upload int not null references uploads,
  row int not null,
  requested_by text not null references people,
  invoice text not null,
  try int not null,
  payee text not null,
  account text not null,
  country text not null,
  amount numeric not null check (amount > 0),
  currency text not null references currencies,
  scheme text not null,
  sender_entity text not null,
  sender_account text not null,
  sender_country text not null,
  created_at timestamptz not null,
  held text not null, -- why it needs a tick
  state state not null,
  first_sent_at timestamptz, -- for the limit of this day; empty while it isn't sent
  last_sent_at timestamptz,
  unique (payee, invoice, try),
  unique (external_id, requested_by),
  foreign key (payee, account, country) references accounts
);
create index on payments (state, currency, created_at, row)
  where state in ('waiting', 'approved', 'sending', 'accepted', 'rejected');
create index on payments (payee, currency, amount);
create index on payments (currency, first_sent_at);
create index on payments (upload);

-- Four eyes for payments: not who asked, and each person once.
create table approvals (
  external_id text,
  requested_by text not null,
  person text not null references people,
  decision text not null check (decision in ('approved', 'declined')),
  comment text not null,
  at timestamptz not null default now(),
  primary key (external_id, person),
  foreign key (external_id, requested_by) references payments (external_id, requested_by),
  check (person <> requested_by)
);

-- What an execution sent (its outcome is "sent"), and what the Payments node said about it.
create table attempts (
  external_id text references payments,
  execution text,
  outcome text,
  message text not null default '',
  at timestamptz not null default now(),
  primary key (external_id, execution, outcome)
);
create index on attempts (at);

create table events (
  event_id text primary key,
  external_id text not null references payments,
  status text not null,
  body jsonb not null,
  news text not null, -- that somebody has to know
  at timestamptz not null default now()
);
create index on events (external_id);
create index on events (at);

-- How cells are read --------------------------------------------------------------------------

-- The text of a cell: without invisible characters, with single blanks.
create function text_of(cell jsonb) returns text language sql immutable as $$
  select trim(regexp_replace(regexp_replace(normalize(coalesce(cell #>> '{}', ''), nfc),
      '[\u0001-\u0008\u000E-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E'
      '\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g'),
    '[[:space:]\u00A0\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+', ' ', 'g'))
$$;

-- Texts that differ only in case, blanks, signs, or zeros, such as INV-7 and inv 0007, are alike.
create function alike(value text) returns text language sql immutable as $$
  select regexp_replace(regexp_replace(upper(value), '(^|[^0-9])0+(?=[0-9])', '\1', 'g'),
    '[ -/:-@\[-`{-~\u00A1-\u00BF\u2010-\u205E]', '', 'g')
$$;
create index on payments (payee, alike(invoice));

-- An amount as people read it, such as EUR 1,250.50.
create function money(currency text, amount numeric) returns text language sql immutable as $$
  select currency || ' ' || regexp_replace(trunc(amount)::text, '(?<=[0-9])(?=([0-9]{3})+$)', ',', 'g')
    || coalesce(substring(amount::text from '\.[0-9]+$'), '')
$$;

-- An amount that can be read in one way only. Otherwise, `problem` says what to write.
create function read_amount(cell jsonb, currency text, decimals int,
  out amount numeric, out problem text) language plpgsql immutable as $$
declare
  is_number boolean := jsonb_typeof(cell) = 'number';
  given text := text_of(cell);
  -- Digits, with groups of three after a separator; then a separator and decimals. A number is
  -- rounded, because formulas make 0.30000000000000004.
  parts text[] := regexp_match(case when is_number then round(given::numeric, 6)::text else given end,
    '^([0-9]+|[1-9][0-9]{0,2}([ .,''’])[0-9]{3}(?:\2[0-9]{3})*)(?:([.,])([0-9]+))?$');
begin
  amount := translate(parts[1], ' .,''’', '') || coalesce('.' || parts[4], '');
  problem := case
    when given = '' then 'Amount is empty.'
    when amount is null or amount = 0 or parts[2] = parts[3] then format('Amount is "%s". Write digits '
      'and one separator for decimals, without a currency, or leave out what isn''t above zero.', given)
    when not is_number and given ~ '^[1-9][0-9]{0,2}[.,][0-9]{3}$' then
      format('%s can be read as %s, or with three decimals. Write %2$s or %s.', given, amount,
        round(amount / 1000, case when decimals < 3 then decimals else 4 end))
    when length(rtrim(parts[4], '0')) > decimals
      then format('%s has more decimals than %s, which has %s.', given, currency, decimals) end;
  amount := case when problem is null then round(amount, decimals) end;
end $$;

-- An account number that looks like an IBAN is without blanks.
create function account_of(cell jsonb) returns text language plpgsql immutable as $$
declare
  given text := text_of(cell);
  iban text := upper(regexp_replace(given, '^IBAN[: ]*| ', '', 'gi'));
begin
  return case when iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$' then iban else given end;
end $$;

-- The first four characters at the end and A as 10, it leaves 1 when it's divided by 97 (ISO 13616).
create function is_wrong_iban(account text) returns boolean language plpgsql immutable as $$
begin
  return account ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$' and (
    select string_agg(case when sign ~ '[A-Z]' then (ascii(sign) - 55)::text else sign end, ''
      order by at)
    from regexp_split_to_table(substr(account, 5) || left(account, 4), '')
      with ordinality as signs (sign, at)
  )::numeric % 97 <> 1;
end $$;

-- Upload --------------------------------------------------------------------------------------

-- A payment in a message.
create function name(one payments) returns text language sql immutable as $$
  select format('%s, %s, row %s of file %s, %s', one.invoice, money(one.currency, one.amount), one.row,
    one.upload, one.state)
$$;

-- Why a new payment needs a tick: another try, a possible duplicate, an unusual amount. Empty
-- without a reason.
create function reasons_to_hold(new payments) returns text language plpgsql stable as $$
begin
  return concat_ws(' ',
    (select format('Another try of %s.', name(p)) from payments p
      where (p.payee, p.invoice, p.try) = (new.payee, new.invoice, new.try - 1)),
    (select format('Possible duplicate, the same invoice in another spelling: %s.', name(p))
      from payments p
      where p.payee = new.payee and alike(p.invoice) = alike(new.invoice)
        and p.invoice <> new.invoice and state <> 'declined' limit 1),
    (select format('Possible duplicate, the same amount: %s.', name(p)) from payments p, settings
      where (p.payee, p.currency, p.amount) = (new.payee, new.currency, new.amount)
        and p.invoice <> new.invoice and state <> 'declined'
        and created_at > now() - make_interval(days => duplicate_days)
      order by created_at desc limit 1),
    (select format('Unusual amount, the highest of this payee was %s.', money(new.currency, highest))
      from settings, lateral (select amount as highest from payments p
        where (p.payee, p.currency) = (new.payee, new.currency) and state in ('accepted', 'paid')
        order by amount desc limit 1) as paid
      where new.amount > highest * unusual_times));
end $$;

-- Payments with what an approver has to know: the label of its checkbox, why it needs a tick, how many
-- have approved it, and how many it needs.
create view to_decide as
  select p.*, format('Row %s, %s, %s', row, invoice, money(currency, amount)) as tick,
    (select count(*) from approvals a
      where a.external_id = p.external_id and decision = 'approved') as approvals,
    (select coalesce(max(approvers), 1) from tiers t
      where t.currency = p.currency and above < p.amount) as approvers,
    a.approved_by is null as is_new_account,
    concat_ws(' ', nullif(held, ''),
      case when approved_by is null
        then format('New account %s of %s, %s.', account, payee, country) end,
      (select format('The payee has %s.', string_agg(b.account, ', ')) from accounts b
        where a.approved_by is null and b.payee = p.payee and b.approved_by <> '' having count(*) > 0),
      (select format('%s has this account.', string_agg(b.payee, ', ')) from accounts b
        where a.approved_by is null and b.account = p.account and b.payee <> p.payee having count(*) > 0)
    ) as reasons
  from payments p join accounts a using (payee, account, country);

-- Saves the right rows of a file as payments that wait for approval, and says what becomes of each.
-- A row has the cells Invoice, Payee, Account, Country, Amount, Currency, and can have Scheme; `line`
-- is its number in the file, and `more` what is beyond the columns.
create function upload(person text, file text, rows jsonb)
returns table (line int, invoice text, payee text, account text, amount text, result text, why text)
language plpgsql security definer set search_path = payouts, pg_temp as $$
#variable_conflict use_column
declare
  me text := lower(person);
  cells jsonb;
  new payments;
  ours currencies;
  same payments;
  problem text;
begin
  if not exists (select from people where email = me and may_upload) then
    raise exception '% may not upload. Who owns the database can allow it.', person;
  elsif jsonb_array_length(rows) = 0 then
    raise exception 'The file has no rows below the columns Invoice, Payee, Account, Country, Amount, '
      'and Currency. If yours have other names, add them in the node Rows.';
  end if;
  perform pg_advisory_xact_lock(hashtext('payouts.upload')); -- one file after the other
  insert into uploads (person, file) values (me, file) returning upload into new.upload;
  new.requested_by := me;
  new.created_at := now();
  new.state := 'waiting';

  for cells in select jsonb_array_elements(rows) loop
    new.row := cells ->> 'line';
    new.invoice := text_of(cells -> 'Invoice');
    new.payee := text_of(cells -> 'Payee');
    new.account := account_of(cells -> 'Account');
    new.country := upper(text_of(cells -> 'Country'));
    new.currency := upper(text_of(cells -> 'Currency'));
    select * into ours from currencies where currency = new.currency;
    select * into new.amount, problem
      from read_amount(cells -> 'Amount', new.currency, coalesce(ours.decimals, 2));
    new.scheme := coalesce(nullif(text_of(cells -> 'Scheme'), ''), ours.scheme);
    new.sender_entity := ours.sender_entity;
    new.sender_account := ours.sender_account;
    new.sender_country := ours.sender_country;
    why := concat_ws(' ', problem,
      case when length(new.invoice) not between 1 and 100 then 'Invoice needs 1 to 100 characters.' end,
      case when new.payee = '' then 'Payee is empty.' end,
      case when new.account = '' then 'Account is empty.' end,
      case when is_wrong_iban(new.account)
        then format('The check digits of %s are wrong.', new.account) end,
      case when not exists (select from countries where country = new.country)
        then format('Country is "%s". It can be %s.', new.country,
          (select string_agg(country, ', ' order by country) from countries)) end,
      case when ours.currency is null
        then format('Currency is "%s". It can be %s.', new.currency,
          (select string_agg(currency, ', ' order by currency) from currencies)) end,
      case when new.amount > ours.per_day
        then format('Amount is above the limit of a day, %s.', money(new.currency, ours.per_day)) end,
      case when text_of(cells -> 'more') <> ''
        then format('More cells than columns: %s.', cells ->> 'more') end);

    select * into same from payments p where p.payee = new.payee and p.invoice = new.invoice
      order by try desc limit 1;
    if why <> '' then
      result := 'to correct';
    elsif same.state not in ('declined', 'rejected', 'failed', 'returned') then
      why := format('In the ledger: %s.', name(same));
      result := 'left out';
      if (same.amount, same.currency, same.account, same.country)
          <> (new.amount, new.currency, new.account, new.country) then
        result := 'to correct';
        why := why || ' If this one is another payment, give it another invoice number.';
      end if;
    else
      new.try := coalesce(same.try, 0) + 1;
      new.external_id := concat_ws('.', new.invoice,
        left(encode(sha256(convert_to(new.payee || chr(31) || new.invoice, 'UTF8')), 'hex'), 10),
        nullif(new.try, 1));
      new.held := reasons_to_hold(new);
      insert into accounts (payee, account, country, entered_by)
        values (new.payee, new.account, new.country, me) on conflict do nothing;
      insert into payments select new.*;
      continue;
    end if;
    line := new.row;
    invoice := new.invoice;
    payee := new.payee;
    account := new.account;
    amount := coalesce(money(new.currency, new.amount), text_of(cells -> 'Amount'));
    return next;
  end loop;
  return query
  select row, invoice, payee, account, money(currency, amount),
    case when reasons = '' then 'waits' else 'held' end, reasons
  from to_decide where upload = new.upload;
  return query
  select null::int, null, null, null, string_agg(money(currency, sum), ', ' order by currency), 'total',
    format('%s payments wait for approval as file %s.', coalesce(sum(count), 0), new.upload)
  from (select currency, sum(amount), count(*) from payments
    where upload = new.upload group by currency) as sums;
end $$;

-- Approve -------------------------------------------------------------------------------------

-- The payments of one file that this person can decide, at most 500: of the file with this number,
-- otherwise of the one that waits longest.
create function waiting_for(person text, wanted int default null)
returns table (external_id text, line int, invoice text, payee text, account text, country text,
  amount text, approvals text, reasons text, tick text, headline text)
language sql security definer set search_path = payouts, pg_temp as $$
  with mine as (
    select external_id, upload from payments p
    where state = 'waiting' and requested_by <> lower(person)
      and exists (select from people where email = lower(person) and may_approve)
      and not exists (select from approvals a
        where a.external_id = p.external_id and a.person = lower(waiting_for.person))
  ), page as (
    select * from mine join to_decide using (external_id, upload)
    where upload = coalesce(wanted, (select min(upload) from mine))
    order by row limit 500
  ), sums as (
    select currency, sum(amount) as amount, sum(amount) filter (where reasons = '') as not_held
    from page group by currency
  )
  select external_id, row, invoice, payee, account, country, money(currency, amount),
    format('%s of %s', approvals, approvers), reasons, tick,
    concat('All payments are stopped by ' || stopped || '. ', format(
      'File %s (%s) of %s: %s payments, %s. Not held: %s. Files that wait for you: %s.',
      upload, file, requested_by, (select count(*) from page),
      (select string_agg(money(currency, amount), ', ') from sums),
      (select coalesce(string_agg(money(currency, not_held), ', '), 'nothing') from sums),
      (select string_agg(distinct upload::text, ', ') from mine)))
  from page join uploads using (upload), settings order by row
$$;

-- Decides about the payments that a page has shown. `approve` approves what isn't held or is ticked,
-- and the account of what is ticked; the rest goes on waiting. `decline` ends all that was shown. Rows
-- to leave out go on waiting, too. `stop` stops all payments, until the owner empties settings.stopped.
create function decide(person text, decision text, page jsonb)
returns table (result text, payments bigint, total text)
language plpgsql security definer set search_path = payouts, pg_temp as $$
#variable_conflict use_column
declare
  me text := lower(person);
  comment text := coalesce(page ->> 'comment', '');
  verb state := case decision when 'approve' then 'approved' when 'decline' then 'declined' end;
  shown text[] := array(select jsonb_array_elements_text(page -> 'shown'));
  kept numeric[];
  unknown numeric;
begin
  if decision = 'stop' and exists (select from people where email = me) then
    update settings set stopped = concat_ws(': ', me, nullif(comment, ''));
    return query select 'stopped', 0::bigint,
      'Nothing more is sent until the owner of the database goes on.';
    return;
  elsif not exists (select from people where email = me and may_approve) then
    raise exception '% may not approve. Who owns the database can allow it.', person;
  elsif verb is null then
    raise exception 'A decision is approve, decline, or stop.';
  elsif page ->> 'leave_out' !~ '^[0-9, ]*$' then
    raise exception 'Leave Out Rows is "%". Write numbers of rows, such as 5, 12.', page ->> 'leave_out';
  end if;
  kept := array(select n::numeric
    from regexp_split_to_table(page ->> 'leave_out', '[, ]+') as rows (n) where n <> '');
  select n into unknown from unnest(kept) as rows (n)
    where n not in (select row from payments where external_id = any (shown));
  if found then
    raise exception 'Leave Out Rows has %, which isn''t on the page.', unknown;
  end if;
  perform from payments where external_id = any (shown) order by external_id for update;
  if verb = 'approved' then
    update accounts set approved_by = me
      where approved_by is null and entered_by <> me and (payee, account, country) in (
        select payee, account, country from to_decide where external_id = any (shown)
          and requested_by <> me and row <> all (kept) and (page -> 'ticked') ? tick);
  end if;
  return query
  with decided as (
    select *, case
      when state <> 'waiting' then 'no longer waiting'
      when row = any (kept) then 'left out, so it waits'
      when requested_by = me then 'not ' || verb || ': you asked for it'
      when exists (select from approvals a where a.external_id = p.external_id and a.person = me)
        then 'decided by you before'
      when verb = 'declined' then 'declined'
      when is_new_account then 'waits: its account isn''t approved'
      when held <> '' and ((page -> 'ticked') ? tick) is not true then 'held, so it waits'
      when approvals + 1 < approvers then 'approved by you, and waits for another approver'
      else 'approved' end as outcome
    from to_decide p where external_id = any (shown)
  ), saved as (
    insert into approvals (external_id, requested_by, person, decision, comment)
    select external_id, requested_by, me, verb, comment from decided
    where outcome in ('approved', 'declined', 'approved by you, and waits for another approver')
  ), ended as (
    update payments p set state = verb from decided d
    where p.external_id = d.external_id and d.outcome = verb::text
  )
  select outcome, sum(count)::bigint, string_agg(money(currency, sum), ', ' order by currency)
  from (select outcome, currency, count(*), sum(amount) from decided group by 1, 2) as sums
  group by outcome order by outcome;
end $$;

-- Pay -----------------------------------------------------------------------------------------

-- Takes payments to send: those without a result again, with the same External ID, then approved
-- ones within the limit of the day. Nothing twice in an execution.
create function claim(most int, execution text) returns setof payments
language plpgsql security definer set search_path = payouts, pg_temp as $$
declare
  midnight timestamptz;
  taken text[];
  ours currencies;
  one payments;
  rest numeric;
begin
  -- One claim at a time, so that the sums stay true.
  select date_trunc('day', now(), time_zone) into midnight
    from settings where stopped is null for update;
  if not found then return; end if;
  taken := array(select external_id from payments p, settings
    where state = 'sending' and last_sent_at < now() - make_interval(mins => retry_minutes)
      and first_sent_at > now() - make_interval(hours => retry_hours)
      and not exists (select from attempts a
        where (a.external_id, a.execution) = (p.external_id, claim.execution))
    order by last_sent_at limit most);
  for ours in select * from currencies loop
    rest := ours.per_day - coalesce((select sum(amount) from payments
      where currency = ours.currency and first_sent_at >= midnight), 0);
    for one in select * from payments p
      where state = 'approved' and currency = ours.currency and amount <= rest
        and not exists (select from attempts a
          where (a.external_id, a.execution) = (p.external_id, claim.execution))
      order by created_at, row
    loop
      exit when cardinality(taken) >= most;
      continue when one.amount > rest;
      rest := rest - one.amount;
      taken := taken || one.external_id;
    end loop;
  end loop;
  return query
  with sent as (
    update payments
    set state = 'sending', last_sent_at = now(), first_sent_at = coalesce(first_sent_at, now())
    where external_id = any (taken)
      and state in ('approved', 'sending') -- not what an event has resolved meanwhile
    returning *
  ), saved as (
    insert into attempts (external_id, execution, outcome)
    select external_id, claim.execution, 'sent' from sent
  )
  select * from sent order by created_at, row;
end $$;

-- Saves what the Payments node said about what an execution has sent. What wasn't sent is approved
-- as before. An earlier attempt can have been recorded whatever a later one says, so a payment that
-- was sent more than once stays without a result until the service says that it has it.
create function record(execution text, items jsonb)
returns table (external_id text, state state, message text)
language plpgsql security definer set search_path = payouts, pg_temp as $$
#variable_conflict use_column
declare
  item jsonb;
  outcome text;
  one payments;
  sent_at timestamptz;
begin
  for item in select jsonb_array_elements(items) loop
    external_id := item ->> 'externalId';
    outcome := coalesce(item ->> 'outcome', 'unknown');
    message := concat_ws(' ', item ->> 'message', item ->> 'fix');
    select * into one from payments p where p.external_id = record.external_id for update;
    select at into sent_at from attempts a
      where a.external_id = record.external_id and a.execution = record.execution and a.outcome = 'sent';
    continue when not found;
    insert into attempts (external_id, execution, outcome, message)
      values (record.external_id, record.execution, outcome, message) on conflict do nothing;
    state := case
      when outcome in ('created', 'duplicate') then greatest(one.state, 'accepted')
      when one.state <> 'sending' or (one.first_sent_at, one.last_sent_at) <> (sent_at, sent_at)
        then one.state
      when outcome in ('rejected', 'invalid') then 'rejected'
      when outcome = 'notSent' then 'approved'
      else 'sending' end;
    update payments p set state = record.state, first_sent_at = case
      when record.state >= 'sending' then coalesce(first_sent_at, sent_at) end
    where p.external_id = record.external_id;
    return next;
  end loop;
end $$;

-- Follow --------------------------------------------------------------------------------------

-- Saves an event once. Of its states, a payment has the last one in the type `state`, in whatever
-- order events arrive. Returns a row if somebody has to know: money that didn't arrive or came back,
-- another amount, or a payment that the ledger didn't send.
create function record_event(event jsonb)
returns table (external_id text, subject text, message text)
language plpgsql security definer set search_path = payouts, pg_temp as $$
#variable_conflict use_column
declare
  data jsonb := event -> 'data';
  status text := coalesce(data ->> 'status', '');
  became state := case status when 'COMPLETED' then 'paid' when 'RETURNED' then 'returned'
    when 'REJECTED' then 'failed' when 'FAILED' then 'failed' else 'accepted' end;
  one payments;
begin
  select * into one from payments
    where external_id = data -> 'metadata' ->> 'externalId' for update;
  if not found then return; end if;
  external_id := one.external_id;
  subject := format('%s to %s: %s', money(one.currency, one.amount), one.payee, one.external_id);
  message := concat_ws(' ',
    case when one.state < 'sending' or (one.state, became) = ('failed', 'paid')
      then format('It was %s here, and the service has it.', one.state) end,
    case when data ->> 'currency' <> one.currency or (data ->> 'amount' ~ '^[0-9]+(\.[0-9]+)?$'
        and (data ->> 'amount')::numeric <> one.amount)
      then format('The service has %s %s.', data ->> 'currency', data ->> 'amount') end,
    case when became in ('failed', 'returned') and became > one.state
      then format('Its status is %s.', status) end);
  insert into events (event_id, external_id, status, body, news)
    values (event ->> 'id', one.external_id, status, event, message) on conflict do nothing;
  if not found then return; end if;
  update payments p set state = greatest(one.state, became),
    first_sent_at = coalesce(first_sent_at, now()) where p.external_id = one.external_id;
  if message <> '' then return next; end if;
end $$;

-- Look up and watch ---------------------------------------------------------------------------

-- Each payment with what became of it, and why.
create view ledger as
  select external_id, invoice, payee, account, country, money(currency, amount) as amount,
    state as result,
    concat_ws(' ', nullif(case when state <> 'waiting' then held else
        (select reasons from to_decide d where d.external_id = p.external_id) end, ''),
      case when state = 'approved' then coalesce('All payments are stopped by ' || stopped || '.',
        'Will be sent as soon as the limit of the day allows it.') end,
      (select message from attempts a
        where a.external_id = p.external_id and p.state in ('sending', 'rejected', 'approved')
          and outcome <> 'sent' order by at desc limit 1)) as why,
    requested_by,
    (select string_agg(format('%s %s %s %s', person, decision,
        to_char(at at time zone time_zone, 'YYYY-MM-DD HH24:MI'), comment), '; ' order by at)
      from approvals a where a.external_id = p.external_id) as decisions,
    upload, row, created_at, first_sent_at, last_sent_at,
    (select count(*) from attempts a
      where a.external_id = p.external_id and outcome = 'sent') as attempts,
    (select max(at) from events e where e.external_id = p.external_id) as last_event_at
  from payments p, settings;

-- For people of the ledger, the payments that are open, of a file by its number, of a day, or by an
-- invoice, payee, or External ID.
create function look_up(person text, kind text, wanted text) returns setof ledger
language sql security definer set search_path = payouts, pg_temp as $$
  select ledger.* from ledger, settings
  where exists (select from people where email = lower(person)) and case kind
    when 'open' then result in ('waiting', 'approved', 'sending')
    when 'file' then upload::text = wanted
    when 'day' then (first_sent_at at time zone time_zone)::date::text = wanted
    else wanted in (invoice, payee, external_id) end
  order by created_at, row limit 5000
$$;

-- What somebody has to look at, for one email a day.
create view attention as
  with found as (
    select external_id, coalesce(first_sent_at, created_at) as since, case
      when state = 'sending' and first_sent_at < now() - make_interval(hours => retry_hours)
        then 'In doubt, and no longer retried: look it up in the service'
      when state in ('waiting', 'approved') and created_at < now() - interval '2 days'
        then 'Waiting or approved for two days'
      when state = 'accepted' and last_sent_at < now() - interval '2 days'
        then 'Accepted, and no event for two days: look it up in the service'
      when state = 'rejected' and last_sent_at > now() - interval '1 day'
        then 'Rejected by the service in the last day'
      end as what
    from payments, settings
    where state in ('waiting', 'approved', 'sending', 'accepted', 'rejected')
    union all
    select external_id, at, news from events where at > now() - interval '1 day' and news <> ''
    union all
    select external_id, at, 'Recorded before the first attempt: compare it with the service'
    from attempts a where at > now() - interval '1 day' and outcome = 'duplicate' and 1 = (
      select count(*) from attempts b where b.external_id = a.external_id and b.outcome = 'sent')
  )
  select what, count(*) as payments, min(since) as since,
    string_agg(external_id, ', ' order by since) as external_ids
  from found where what is not null group by what
  union all
  select 'All payments are stopped', 0, null, stopped from settings where stopped is not null;

revoke all on all functions in schema payouts from public;
grant usage on schema payouts to payouts_n8n;
grant execute on function upload, waiting_for, decide, claim, record, record_event, look_up,
  money(text, numeric) to payouts_n8n;
grant select on ledger, attention to payouts_n8n;
commit;
