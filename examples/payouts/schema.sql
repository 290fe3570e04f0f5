-- The payout ledger, for PostgreSQL 14 or newer: psql -v ON_ERROR_STOP=1 -d payouts -f schema.sql
-- Whoever runs this file owns the rules. n8n signs in as payouts_n8n, which can call functions and
-- read two views. docs/payouts.md says how to set it up, and what to change.
begin;
create schema payouts;
set local search_path = payouts;
do $$ begin create role payouts_n8n login; exception when duplicate_object then null; end $$;
alter role payouts_n8n set jit = off; -- Compiling takes longer than these queries.

-- What the owner enters and changes -----------------------------------------------------------

create table settings (
  one_row boolean primary key default true check (one_row),
  time_zone text not null default 'UTC',
  retry_minutes int not null default 10,   -- after which a payment without a result is sent again
  retry_hours int not null default 23,     -- after which it isn't
  duplicate_days int not null default 60,  -- in which the same amount to the same payee is held
  unusual_times numeric not null default 3 -- the payee's highest payment
);
insert into settings default values;

create table people (
  email text primary key check (email = lower(email)),
  may_upload boolean not null default false,
  may_approve boolean not null default false
);

-- One row for each currency that can be paid: who pays, and how much in a day.
create table currencies (
  currency text primary key check (currency ~ '^[A-Z]{3}$'),
  decimals int not null default 2,
  per_day numeric not null,
  scheme text not null,
  sender_entity text not null,
  sender_account text not null,
  sender_country text not null
);

-- Amounts above so much need so many approvers. Above 0 there is one at least.
create table tiers (
  currency text references currencies,
  above numeric,
  approvers int not null check (approvers >= 1),
  primary key (currency, above)
);

-- What is only added --------------------------------------------------------------------------

create table stops (
  at timestamptz primary key default clock_timestamp(),
  person text not null,
  stopped boolean not null,
  comment text not null default ''
);

create table uploads (
  upload int generated always as identity primary key,
  person text not null references people,
  file text not null,
  at timestamptz not null default now(),
  unique (upload, person)
);

create table accounts (
  payee text,
  account text,
  country text,
  entered_by text not null references people,
  at timestamptz not null default now(),
  primary key (payee, account, country),
  unique (payee, account, country, entered_by)
);
create index on accounts (account);

-- Four eyes for accounts: not who entered it.
create table account_approvals (
  payee text,
  account text,
  country text,
  entered_by text not null,
  person text not null references people,
  at timestamptz not null default now(),
  primary key (payee, account, country),
  foreign key (payee, account, country, entered_by)
    references accounts (payee, account, country, entered_by),
  check (person <> entered_by)
);

-- One row for each payment. Another try of an invoice is possible once the first can't pay.
create table payments (
  external_id text primary key,
  upload int not null,
  row int not null,
  requested_by text not null,
  payee text not null,
  account text not null,
  country text not null,
  invoice text not null,
  try int not null default 1,
  amount numeric not null check (amount > 0),
  currency text not null references currencies,
  scheme text not null,
  sender_entity text not null,
  sender_account text not null,
  sender_country text not null,
  created_at timestamptz not null default now(),
  held text not null default '', -- why it needs a tick
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'declined',
    'withdrawn', 'sending', 'rejected', 'accepted', 'paid', 'failed', 'returned')),
  first_sent_at timestamptz,
  last_sent_at timestamptz,
  day date, -- whose limit it counts for
  unique (payee, invoice, try),
  unique (external_id, requested_by),
  foreign key (upload, requested_by) references uploads (upload, person),
  foreign key (payee, account, country) references accounts
);
create index on payments (state, currency, created_at, row)
  where state in ('waiting', 'approved', 'sending', 'accepted', 'rejected');
create index on payments (payee, invoice) where try > 1;
create index on payments (payee, currency, amount, created_at);
create index on payments (day, currency);
create index on payments (upload);
create index on payments (invoice);

-- Four eyes for payments: not who asked, and each person once.
create table approvals (
  external_id text,
  requested_by text not null,
  person text not null references people,
  decision text not null check (decision in ('approved', 'declined', 'withdrawn')),
  comment text not null default '',
  at timestamptz not null default now(),
  primary key (external_id, person),
  foreign key (external_id, requested_by) references payments (external_id, requested_by),
  check ((decision = 'withdrawn') = (person = requested_by))
);

create table attempts (
  attempt bigint generated always as identity primary key,
  external_id text not null references payments,
  execution text not null,
  at timestamptz not null default now()
);
create index on attempts (external_id, execution);

create table results (
  attempt bigint primary key references attempts,
  outcome text not null,
  message text not null,
  at timestamptz not null default now()
);
create index on results (at);

create table events (
  event_id text primary key,
  external_id text not null references payments,
  status text not null,
  body jsonb not null,
  at timestamptz not null,
  received_at timestamptz not null default now()
);
create index on events (external_id);
create index on events (received_at);

-- Nobody changes what is only added, and of a payment nothing but its state, also not the owner.
create function refuse() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are only added.', tg_table_name;
end $$;
do $$
declare name text;
begin
  foreach name in array array['stops', 'uploads', 'accounts', 'account_approvals', 'approvals',
    'attempts', 'results', 'events'] loop
    execute format('create trigger only_added before update or delete or truncate on %I
      execute function payouts.refuse()', name);
  end loop;
end $$;
create trigger only_added before delete or truncate on payments execute function refuse();
create trigger only_its_state before update of external_id, upload, row, requested_by, payee, account,
  country, invoice, try, amount, currency, scheme, sender_entity, sender_account, sender_country,
  created_at, held on payments execute function refuse();

-- How cells are read --------------------------------------------------------------------------

-- The text of a cell: without invisible characters, with single blanks.
create function text_of(cell jsonb) returns text language sql immutable as $$
  select trim(regexp_replace(regexp_replace(normalize(coalesce(cell #>> '{}', ''), nfc),
    '[\u200B-\u200F\u2060\uFEFF\u0001-\u0008]', '', 'g'),
    '[[:space:]\u00A0\u2000-\u200A\u202F]+', ' ', 'g'))
$$;

-- Texts that differ only in case, blanks, or signs, such as INV-7 and inv 0007, are alike.
create function alike(value text) returns text language sql immutable as $$
  select regexp_replace(regexp_replace(upper(value), '(^|[^0-9])0+(?=[0-9])', '\1', 'g'),
    '[ -/:-@\[-`{-~]', '', 'g')
$$;
create index on payments (payee, alike(invoice));

-- Reads an amount that can be read in one way only. Otherwise, `problem` says what to write.
create function read_amount(cell jsonb, currency text, decimals int,
  out amount numeric, out problem text) language plpgsql immutable as $$
declare
  given text := text_of(cell);
  digits text := regexp_replace(given, '(?<=[0-9])[ ''’](?=[0-9]{3}([^0-9]|$))', '', 'g');
  fraction text;
begin
  if jsonb_typeof(cell) = 'number' then
    amount := round(given::numeric, decimals);
    fraction := case when abs(amount - given::numeric) > 0.000001 then 'more' end; -- of a formula
  elsif given = '' then
    problem := 'Amount is empty.';
  elsif given ~ '^[-−–(].*[0-9]|[0-9] ?[-−–]$' then
    problem := format('%s is negative. Leave the row out.', given);
  elsif digits ~ '^(?!0+[.,])[0-9]{1,3}[.,][0-9]{3}$' then
    problem := format('%s can be read as %s, or as a number with three decimals. Write %2$s%s.',
      given, translate(digits, '.,', ''),
      case when decimals < 3 then ' if you mean that' else ', or four decimals' end);
  elsif digits ~ '^([0-9]+|(?!0+\.)[0-9]{1,3}(\.[0-9]{3})+)(,[0-9]+)?$' then
    amount := translate(digits, ',.', '.')::numeric;
    fraction := rtrim(split_part(digits, ',', 2), '0');
  elsif digits ~ '^([0-9]+|(?!0+,)[0-9]{1,3}(,[0-9]{3})+)(\.[0-9]+)?$' then
    amount := translate(digits, ',', '')::numeric;
    fraction := rtrim(split_part(digits, '.', 2), '0');
  else
    problem := format('%s isn''t an amount. Write digits, and one separator if it has decimals.',
      given);
  end if;
  problem := coalesce(problem,
    case when fraction = 'more' or length(fraction) > decimals
      then format('%s has more decimals than %s, which has %s.', given, currency, decimals) end,
    case when amount <= 0 then format('%s isn''t above zero. Leave the row out.', given) end);
  amount := case when problem is null then round(amount, decimals) end;
end $$;

-- Account numbers that look like an IBAN are without blanks, and have right check digits (ISO 13616).
create function account_of(cell jsonb) returns text language sql immutable as $$
  select case when upper(replace(text_of(cell), ' ', '')) ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{8,30}$'
    then upper(replace(text_of(cell), ' ', '')) else text_of(cell) end
$$;
create function is_wrong_iban(account text) returns boolean language sql immutable as $$
  select account ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{8,30}$' and (
    select string_agg(case when sign ~ '[A-Z]' then (ascii(sign) - 55)::text else sign end, '' order by place)
    from regexp_split_to_table(substr(account, 5) || left(account, 4), '') with ordinality as signs (sign, place)
  )::numeric % 97 <> 1
$$;

-- ISO 3166-1, and XK for Kosovo.
create function is_country(code text) returns boolean language sql immutable as $$
  select code ~ '^[A-Z]{2}$' and 0 < position(code in 'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF '
    'BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY '
    'CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR '
    'GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW '
    'KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX '
    'MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU '
    'RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR '
    'TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW')
$$;

-- An amount as people read it, such as EUR 1,250.50.
create function money(currency text, amount numeric) returns text language sql immutable as $$
  select currency || ' ' || regexp_replace(trunc(amount)::text, '(?<=[0-9])(?=([0-9]{3})+$)', ',', 'g')
    || coalesce(substring(amount::text from '\.[0-9]+$'), '')
$$;

-- Upload --------------------------------------------------------------------------------------

-- A row of a file, and what is to correct in it.
create type file_row as (line int, invoice text, payee text, account text, country text,
  currency text, amount numeric, amount_text text, scheme text, problem text);

-- Reads the rows of a file. A row has the cells Invoice, Payee, Account, Country, Amount, Currency,
-- and can have Scheme; `line` is its number in the file, and `more` what is beyond the columns.
create function read_rows(rows jsonb) returns setof file_row language sql stable as $$
  with cells as (
    select row, text_of(row -> 'Invoice') as invoice, text_of(row -> 'Payee') as payee,
      account_of(row -> 'Account') as account, upper(text_of(row -> 'Country')) as country,
      upper(text_of(row -> 'Currency')) as currency
    from jsonb_array_elements(rows) as row
  )
  select (row ->> 'line')::int, invoice, payee, account, country, currency, read.amount,
    coalesce(money(currency, read.amount), text_of(row -> 'Amount')),
    coalesce(nullif(text_of(row -> 'Scheme'), ''), ours.scheme),
    concat_ws(' ', read.problem,
      case when invoice = '' then 'Invoice is empty.' end,
      case when length(invoice) > 100 then 'Invoice has more than 100 characters.' end,
      case when payee = '' then 'Payee is empty.' end,
      case when account = '' then 'Account is empty.' end,
      case when is_wrong_iban(account) then format('The check digits of %s are wrong.', account) end,
      case when not is_country(country)
        then format('Country is "%s". Write two letters, such as DE.', country) end,
      case when ours.per_day is null then format('Currency is "%s". It can be %s.', currency,
        (select string_agg(c.currency, ', ' order by c.currency) from currencies c)) end,
      case when read.amount > ours.per_day then format('%s is above the limit of a day, %s.',
        money(currency, read.amount), money(currency, ours.per_day)) end,
      case when text_of(row -> 'more') <> ''
        then format('The row has more cells than the columns: %s.', row ->> 'more') end)
  from cells left join currencies ours using (currency),
    read_amount(row -> 'Amount', currency, coalesce(ours.decimals, 2)) as read
$$;

-- Payments that have paid or can pay, with a name for messages.
create view alive as
  select *, format('%s, %s, %s, %s', invoice, money(currency, amount), state, external_id) as name
  from payments where state not in ('declined', 'withdrawn');

-- Why a new row needs a tick: another try, a possible duplicate in the ledger or above it in the
-- file, an account that can be wrong, an unusual amount, or a number that a spreadsheet can have
-- made of a date. Empty without a reason.
create function reasons_to_hold(new file_row[])
returns table (payee text, invoice text, reasons text) language sql stable as $$
  select r.payee, r.invoice, concat_ws(' ',
    (select format('Another try of %s.', name) from alive a
      where a.payee = r.payee and a.invoice = r.invoice order by try desc limit 1),
    'Possible duplicate: the same invoice in another spelling, ' || coalesce(
      (select name from alive a
        where a.payee = r.payee and alike(a.invoice) = alike(r.invoice) and a.invoice <> r.invoice limit 1),
      'row ' || lag(r.line) over (partition by r.payee, alike(r.invoice) order by r.line)) || '.',
    'Possible duplicate: the same amount, ' || coalesce(
      (select name from alive a
        where a.payee = r.payee and a.currency = r.currency and a.amount = r.amount
          and a.invoice <> r.invoice and created_at > now() - make_interval(days => duplicate_days)
        order by created_at desc limit 1),
      'row ' || lag(r.line) over (partition by r.payee, r.currency, r.amount order by r.line)) || '.',
    (select format('Another payee has this account: %s.', a.payee) from accounts a
      where a.account = r.account and a.payee <> r.payee limit 1),
    (select 'It''s our own account.' from currencies where sender_account = r.account limit 1),
    case when r.account ~ '^[A-Z]{2}[0-9]{2}' and left(r.account, 2) <> r.country
      then format('The IBAN is of %s, and the country is %s.', left(r.account, 2), r.country) end,
    (select format('Unusual amount: the highest payment to this payee was %s.',
        money(r.currency, max(a.amount))) from alive a
      where a.payee = r.payee and a.currency = r.currency and a.state in ('accepted', 'paid')
      having r.amount > max(a.amount) * unusual_times),
    case when r.invoice ~ '^[0-9]{5}$' and abs(r.invoice::int - date_number) < 730
      then format('%s as an invoice can be a date.', r.invoice) end,
    case when r.amount = trunc(r.amount) and abs(r.amount - date_number) < 730
      then format('%s as an amount can be a date.', r.amount) end)
  from unnest(new) as r, settings, (select current_date - date '1899-12-30' as date_number) as today
$$;

-- Saves the right rows of a file as payments that wait for approval, and says what becomes of each.
create function upload(person text, file text, rows jsonb)
returns table (line int, invoice text, payee text, account text, amount text, result text, why text)
language plpgsql security definer set search_path = payouts, pg_temp as $$
#variable_conflict use_column
declare
  me text := lower(person);
  this_upload int;
  lines file_row[];
  new file_row[];
begin
  if not exists (select from people where email = me and may_upload) then
    raise exception '% may not upload. Who owns the database can allow it.', person;
  elsif jsonb_array_length(rows) = 0 then
    raise exception 'The file has no rows below the columns Invoice, Payee, Account, Country, Amount, '
      'and Currency. If yours have other names, add them in the node Rows.';
  end if;
  perform pg_advisory_xact_lock(hashtext('payouts.upload')); -- one file after the other
  insert into uploads (person, file) values (me, file) returning upload into this_upload;
  lines := array(select r from read_rows(rows) as r);

  -- New is what the ledger doesn't have, or can't pay any more. Of several rows, it's the first.
  new := array(select distinct on (r.payee, r.invoice) r from unnest(lines) as r
    where r.problem = '' and not exists (select from payments p
      where p.payee = r.payee and p.invoice = r.invoice
        and state not in ('declined', 'withdrawn', 'rejected', 'failed', 'returned'))
    order by r.payee, r.invoice, r.line);
  insert into accounts (payee, account, country, entered_by)
    select distinct payee, account, country, me from unnest(new) on conflict do nothing;
  insert into payments (external_id, upload, row, requested_by, payee, account, country, invoice, try,
    amount, currency, scheme, sender_entity, sender_account, sender_country, held)
  select concat_ws('.', invoice,
      left(encode(sha256(convert_to(payee || chr(31) || invoice, 'UTF8')), 'hex'), 10),
      nullif(try, 1)),
    this_upload, line, me, payee, account, country, invoice, try,
    amount, currency, r.scheme, sender_entity, sender_account, sender_country, reasons
  from unnest(new) as r join reasons_to_hold(new) using (payee, invoice)
    join currencies using (currency),
    lateral (select coalesce(max(try), 0) + 1 as try from payments p
      where p.payee = r.payee and p.invoice = r.invoice) as next;

  return query
  select r.line, r.invoice, r.payee, r.account, r.amount_text,
    case when is_new then case when concat(p.held, p.new_account) = '' then 'waits' else 'held' end
      when is_same then 'left out' else 'to correct' end,
    case when is_new then concat_ws(' ', nullif(p.held, ''), p.new_account)
      when p.upload is null then r.problem
      else format('In the ledger as %s, %s, from row %s of %s, and %s.%s', p.external_id,
        money(p.currency, p.amount), p.row, u.file, p.state, case when not is_same
        then ' Has it other content, it''s another payment: give it another invoice number.' end) end
  from unnest(lines) as r
    left join lateral (select *, (upload, row) = (this_upload, r.line) as is_new,
        (p.amount, p.currency, p.account, p.country) = (r.amount, r.currency, r.account, r.country) as is_same
      from to_decide p where r.problem = '' and p.payee = r.payee and p.invoice = r.invoice
      order by try desc limit 1) as p on true
    left join uploads u on u.upload = p.upload
  order by r.line;
  return query
  select null::int, null, null, null, string_agg(money(currency, sum), ', ' order by currency), 'total',
    format('%s payments wait for approval as file %s.', coalesce(sum(count), 0), this_upload)
  from (select currency, sum(amount), count(*) from payments
    where upload = this_upload group by currency) as sums;
end $$;

-- Approve -------------------------------------------------------------------------------------

-- Payments with what an approver has to know: how many have approved it, how many it needs, what is
-- to check about an account that isn't approved, and the labels of the checkboxes.
create view to_decide as
  select p.*,
    (select count(*) from approvals a
      where a.external_id = p.external_id and decision = 'approved') as approvals,
    (select coalesce(max(approvers), 1) from tiers t
      where t.currency = p.currency and above < p.amount) as approvers,
    (select format('New account%s.', ' of a payee that has ' || string_agg(a.account, ', '))
      from account_approvals a where a.payee = p.payee
      having count(*) filter (where (a.account, a.country) = (p.account, p.country)) = 0) as new_account,
    format('Row %s, %s, %s: %s', row, invoice, money(currency, amount), held) as tick,
    format('%s of %s, %s', account, payee, country) as account_tick
  from payments p;

-- The payments of one file that this person can decide, or withdraw, at most 500: of the file with
-- this number, otherwise of the one that waits longest.
create function waiting_for(person text, wanted int default null)
returns table (external_id text, own boolean, line int, invoice text, payee text, account text,
  country text, amount text, approvals text, held text, new_account text, tick text,
  account_tick text, headline text)
language sql security definer set search_path = payouts, pg_temp as $$
  with mine as (
    select external_id, upload, requested_by = lower(person) as own from payments p
    where state = 'waiting' and (requested_by = lower(person)
      or exists (select from people where email = lower(person) and may_approve)
        and not exists (select from approvals a
          where a.external_id = p.external_id and a.person = lower(waiting_for.person)))
  ), page as (
    select * from mine join to_decide using (external_id, upload)
    where upload = coalesce(wanted, (select upload from mine order by own, upload limit 1))
    order by row limit 500
  ), sums as (
    select currency, sum(amount) as amount from page
    where held = '' and new_account is null group by currency
  ), files as (
    select upload, count(*) as payments from mine group by upload
  )
  select external_id, own, row, invoice, payee, account, country, money(currency, amount),
    format('%s of %s', approvals, approvers), held, new_account, tick, account_tick,
    format('%s, uploaded by %s. Not held: %s. Files that wait for you: %s.', file, requested_by,
      coalesce((select string_agg(money(currency, amount), ', ' order by currency) from sums), 'nothing'),
      (select string_agg(format('%s with %s', upload, payments), ', ' order by upload) from files))
  from page join uploads using (upload) order by row
$$;

-- Decides about the payments that a page has shown. `approve` approves what isn't held or is ticked,
-- if the account is approved or ticked; the rest goes on waiting. `decline` and `withdraw` end all
-- that was shown. Rows to leave out go on waiting, too. `stop` stops all payments, at once: only who
-- owns the database goes on, with a row in stops.
create function decide(person text, decision text, page jsonb)
returns table (result text, payments bigint, total text)
language plpgsql security definer set search_path = payouts, pg_temp as $$
#variable_conflict use_column
declare
  me text := lower(person);
  verb text := case decision when 'approve' then 'approved' when 'decline' then 'declined'
    when 'withdraw' then 'withdrawn' end;
  shown text[] := array(select jsonb_array_elements_text(page -> 'shown'));
  kept text[] := regexp_split_to_array(page ->> 'leave_out', '[^0-9]+');
begin
  if decision = 'stop' then
    insert into stops (person, stopped, comment)
      select me, true, coalesce(page ->> 'comment', '') from people where email = me;
    if not found then raise exception '% isn''t known here.', person; end if;
    return query select 'stopped', 0::bigint,
      'Nothing more is sent until the owner of the database goes on.';
    return;
  elsif verb is null then
    raise exception 'A decision is approve, decline, withdraw, or stop.';
  elsif verb <> 'withdrawn' and not exists (select from people where email = me and may_approve) then
    raise exception '% may not approve. Who owns the database can allow it.', person;
  end if;
  perform from payments where external_id = any (shown) order by external_id for update;
  if verb = 'approved' then
    insert into account_approvals (payee, account, country, entered_by, person)
    select distinct a.payee, a.account, a.country, a.entered_by, me
    from to_decide p join accounts a using (payee, account, country)
    where p.external_id = any (shown) and p.requested_by <> me and a.entered_by <> me
      and (page -> 'accounts') ? account_tick
    on conflict do nothing;
  end if;
  return query
  with decided as (
    select external_id, requested_by, currency, amount, case
      when state <> 'waiting' then 'no longer waiting'
      when row::text = any (kept) then 'left out, so it waits'
      when verb = 'withdrawn' and requested_by <> me then 'not withdrawn: somebody else asked for it'
      when verb <> 'withdrawn' and requested_by = me then 'not ' || verb || ': you asked for it'
      when verb = 'approved' and new_account is not null then 'waits: its account isn''t approved'
      when verb = 'approved' and held <> '' and ((page -> 'held') ? tick) is not true
        then 'held, so it waits'
      when exists (select from approvals a where a.external_id = p.external_id and a.person = me)
        then 'decided by you before'
      when verb = 'approved' and approvals + 1 < approvers
        then 'approved by you, and waits for another approver'
      else verb end as outcome
    from to_decide p where external_id = any (shown)
  ), saved as (
    insert into approvals (external_id, requested_by, person, decision, comment)
    select external_id, requested_by, me, verb, coalesce(page ->> 'comment', '') from decided
    where outcome in (verb, 'approved by you, and waits for another approver')
  ), ended as (
    update payments p set state = verb from decided d
    where p.external_id = d.external_id and d.outcome = verb
  )
  select outcome, sum(count)::bigint, string_agg(money(currency, sum), ', ' order by currency)
  from (select outcome, currency, count(*), sum(amount) from decided group by 1, 2) as sums
  group by outcome order by outcome;
end $$;

-- Pay -----------------------------------------------------------------------------------------

-- Takes payments to send: those without a result again, with the same External ID, then approved
-- ones within the limit of the day. One claim at a time, so that the sums stay true.
create function claim(most int, execution text)
returns table (external_id text, amount text, currency text, scheme text, invoice text, payee text,
  account text, country text, sender_entity text, sender_account text, sender_country text,
  created_at text)
language plpgsql security definer set search_path = payouts, pg_temp as $$
#variable_conflict use_column
declare
  today date;
  again text[];
  taken text[] := '{}';
  ours currencies;
  one payments;
  rest numeric;
begin
  select (now() at time zone time_zone)::date into today from settings for update;
  if (select stopped from stops order by at desc limit 1) then return; end if;
  again := array(select external_id from payments, settings
    where state = 'sending' and last_sent_at < now() - make_interval(mins => retry_minutes)
      and first_sent_at > now() - make_interval(hours => retry_hours)
    order by last_sent_at limit most);
  for ours in select * from currencies loop
    rest := ours.per_day - coalesce((select sum(amount) from payments
      where day = today and currency = ours.currency), 0);
    for one in select * from payments
      where state = 'approved' and currency = ours.currency and amount <= rest order by created_at, row
    loop
      exit when cardinality(again || taken) >= most;
      continue when one.amount > rest;
      rest := rest - one.amount;
      taken := taken || one.external_id;
    end loop;
  end loop;
  return query
  with sent as (
    update payments set state = 'sending', last_sent_at = now(),
      first_sent_at = coalesce(first_sent_at, now()), day = coalesce(day, today)
    where external_id = any (again || taken)
      and state in ('approved', 'sending') -- not what an event has resolved meanwhile
    returning *
  ), saved as (
    insert into attempts (external_id, execution) select external_id, claim.execution from sent
  )
  select external_id, amount::text, currency, scheme, invoice, payee, account, country,
    sender_entity, sender_account, sender_country,
    to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  from sent order by sent.created_at, row;
end $$;

-- Saves what the Payments node said about the attempts of an execution. What it doesn't know stays
-- without a result, and is sent again. What wasn't sent is approved as before.
create function record(execution text, items jsonb) returns table (external_id text, state text, message text)
language plpgsql security definer set search_path = payouts, pg_temp as $$
#variable_conflict use_column
declare
  item jsonb;
  one payments;
  this_attempt bigint;
  earlier boolean;
begin
  for item in select value from jsonb_array_elements(items) loop
    select * into one from payments where external_id = item ->> 'externalId' for update;
    this_attempt := (select max(attempt) from attempts a
      where a.external_id = one.external_id and a.execution = record.execution);
    continue when this_attempt is null;
    message := concat_ws(' ', item ->> 'message', item ->> 'fix');
    insert into results (attempt, outcome, message)
      values (this_attempt, item ->> 'outcome', message) on conflict do nothing;
    continue when not found or one.state <> 'sending';
    -- An earlier attempt can have been recorded, whatever a later one says, until somebody settles it.
    earlier := exists (select from attempts a left join results r using (attempt)
      where a.external_id = one.external_id and a.attempt < this_attempt
        and coalesce(r.outcome, 'unknown') not in ('notSent', 'invalid')
        and a.attempt > all (select s.attempt from attempts s
          where s.external_id = one.external_id and s.execution like 'settled by %'));
    external_id := one.external_id;
    state := case
      when item ->> 'outcome' in ('created', 'duplicate') then 'accepted'
      when item ->> 'outcome' in ('rejected', 'invalid') and not earlier then 'rejected'
      when item ->> 'outcome' = 'notSent' and not earlier then 'approved'
      else 'sending' end;
    update payments p set state = record.state,
      day = case when record.state in ('accepted', 'sending') then day end,
      first_sent_at = case when record.state <> 'approved' then first_sent_at end
    where p.external_id = one.external_id;
    return next;
  end loop;
end $$;

-- For the owner: ends a doubt, after somebody has looked the payment up in the service.
create function settle(id text, person text, is_recorded boolean) returns void
language sql set search_path = payouts, pg_temp as $$
  with looked_up as (
    insert into attempts (external_id, execution) values (id, 'settled by ' || person) returning attempt
  )
  insert into results (attempt, outcome, message)
  select attempt, case when is_recorded then 'created' else 'notSent' end, 'Settled by ' || person
  from looked_up;
  update payments set state = case when is_recorded then 'accepted' else 'approved' end,
    first_sent_at = case when is_recorded then first_sent_at end,
    day = case when is_recorded then day end
  where external_id = id and state = 'sending';
$$;

-- Follow --------------------------------------------------------------------------------------

-- Saves an event once. The latest final status counts, whatever order events arrive in. Returns a
-- row if somebody has to know: money that didn't arrive or came back, another amount, or a payment
-- that the ledger didn't send.
create function record_event(event jsonb)
returns table (external_id text, subject text, message text)
language plpgsql security definer set search_path = payouts, pg_temp as $$
#variable_conflict use_column
declare
  data jsonb := event -> 'data';
  created text := event ->> 'createdAt';
  one payments;
  became text;
begin
  select * into one from payments
    where external_id = data -> 'metadata' ->> 'externalId' for update;
  if not found then return; end if;
  insert into events (event_id, external_id, status, body, at)
    values (event ->> 'id', one.external_id, coalesce(data ->> 'status', ''), event,
      case when created ~ '^[0-9]+$' then to_timestamp(created::numeric / 1000) -- milliseconds
        else coalesce(created::timestamptz, now()) end) on conflict do nothing;
  if not found then return; end if;
  became := coalesce((
    select case status when 'COMPLETED' then 'paid' when 'RETURNED' then 'returned' else 'failed' end
    from events e
    where e.external_id = one.external_id and status in ('COMPLETED', 'RETURNED', 'REJECTED', 'FAILED')
    order by at desc, status = 'RETURNED' desc limit 1), 'accepted');
  update payments p set state = became where p.external_id = one.external_id;
  external_id := one.external_id;
  subject := format('%s to %s: %s', money(one.currency, one.amount), one.payee, one.external_id);
  message := concat_ws(' ',
    case when one.state in ('waiting', 'approved', 'declined', 'withdrawn', 'rejected')
      then format('It was %s here, and the service has it.', one.state) end,
    case when data ->> 'currency' <> one.currency or (data ->> 'amount' ~ '^[0-9]+(\.[0-9]+)?$'
        and (data ->> 'amount')::numeric <> one.amount)
      then format('The service has %s %s.', data ->> 'currency', data ->> 'amount') end,
    case when became in ('failed', 'returned') and became <> one.state
      then format('Its status is %s.', data ->> 'status') end);
  if message <> '' then return next; end if;
end $$;

-- Look up and watch ---------------------------------------------------------------------------

-- Each payment with what became of it, and why.
create view ledger as
  select external_id, invoice, payee, account, country, money(currency, amount) as amount,
    state as result,
    concat_ws(' ', case when state in ('waiting', 'approved') then nullif(held, '') end,
      (select message from attempts a join results using (attempt)
        where a.external_id = p.external_id and p.state in ('sending', 'rejected', 'approved')
        order by attempt desc limit 1)) as why,
    requested_by,
    (select string_agg(format('%s %s %s %s', person, decision, to_char(at, 'YYYY-MM-DD HH24:MI'),
        comment), '; ' order by at)
      from approvals a where a.external_id = p.external_id) as decisions,
    upload, row, created_at, first_sent_at, last_sent_at, day,
    (select count(*) from attempts a where a.external_id = p.external_id) as attempts,
    (select max(at) from events e where e.external_id = p.external_id) as last_event_at
  from payments p;

-- The payments that are open, of a file by its number, of a day, or by an invoice, payee, or
-- External ID.
create function look_up(person text, kind text, wanted text) returns setof ledger
language plpgsql security definer set search_path = payouts, pg_temp as $$
begin
  if not exists (select from people where email = lower(person)) then
    raise exception '% isn''t known here.', person;
  elsif kind = 'open' then
    return query select * from ledger where result in ('waiting', 'approved', 'sending')
      order by created_at limit 1000;
  elsif kind = 'file' then
    return query select * from ledger where upload = wanted::int order by row limit 5000;
  elsif kind = 'day' then
    return query select * from ledger where day = wanted::date order by first_sent_at limit 5000;
  else
    return query select * from ledger where wanted in (invoice, payee, external_id)
      order by created_at desc limit 1000;
  end if;
end $$;

-- What somebody has to look at, for one email a day.
create view attention as
  with found as (
    select external_id, coalesce(first_sent_at, created_at) as since, case
      when state = 'sending' and first_sent_at < now() - make_interval(hours => retry_hours)
        then 'In doubt, and no longer retried: look it up in the service'
      when state = 'sending' and first_sent_at < now() - interval '1 hour'
        then 'Retried for an hour without a result'
      when state = 'approved' and created_at < now() - interval '1 day'
        then 'Approved, and not sent for a day: the limit of the day, or payments are stopped'
      when state = 'waiting' and created_at < now() - interval '2 days'
        then 'Waiting for approval for two days'
      when state = 'accepted' and last_sent_at < now() - interval '2 days'
        then 'Accepted, and no event for two days: look it up in the service'
      when state = 'rejected' and last_sent_at > now() - interval '1 day'
        then 'Rejected by the service in the last day'
      end as what
    from payments, settings
    where state in ('waiting', 'approved', 'sending', 'accepted', 'rejected')
    union all
    select external_id, received_at, 'Failed or returned in the last day' from events
    where received_at > now() - interval '1 day' and status in ('REJECTED', 'FAILED', 'RETURNED')
    union all
    select external_id, a.at, 'Recorded before the first attempt: compare it with the service'
    from results r join attempts a using (attempt)
    where r.at > now() - interval '1 day' and outcome = 'duplicate' and not exists (
      select from attempts b where b.external_id = a.external_id and b.attempt < a.attempt)
    union all
    select p.external_id, p.last_sent_at, 'Two tries of one invoice are paid'
    from payments p join payments q on (q.payee, q.invoice) = (p.payee, p.invoice) and q.try < p.try
    where p.try > 1 and p.state in ('accepted', 'paid') and q.state in ('accepted', 'paid')
  )
  select what, count(*) as payments, min(since) as since,
    string_agg(external_id, ', ' order by since) as external_ids
  from found where what is not null group by what
  union all
  select 'All payments are stopped: ' || comment, 0, at, person from stops
  where at = (select max(at) from stops) and stopped;

revoke all on all functions in schema payouts from public;
grant usage on schema payouts to payouts_n8n;
grant execute on function upload, waiting_for, decide, claim, record, record_event, look_up,
  money(text, numeric) to payouts_n8n;
grant select on ledger, attention to payouts_n8n;
commit;
