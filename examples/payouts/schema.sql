-- The payout ledger, for PostgreSQL 14 or newer: psql -v ON_ERROR_STOP=1 -d payouts -f schema.sql
-- Whoever runs this file owns the rules. n8n signs in as payouts_n8n, which can call functions and
-- read two views. docs/payouts.md says how to set it up, and what to change.
begin;
create schema payouts;
set local search_path = payouts;
do $$ begin create role payouts_n8n login; exception when duplicate_object then null; end $$;

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
  at timestamptz not null default now()
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
  upload int not null references uploads,
  row int not null,
  requested_by text not null references people,
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
  held text not null default '',
  created_at timestamptz not null default now(),
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'declined',
    'withdrawn', 'sending', 'rejected', 'accepted', 'paid', 'failed', 'returned')),
  first_sent_at timestamptz,
  last_sent_at timestamptz,
  day date, -- whose limit it counts for
  unique (payee, invoice, try),
  unique (external_id, requested_by),
  foreign key (payee, account, country) references accounts
);
create index on payments (state, created_at) where state in ('waiting', 'approved', 'sending', 'accepted', 'rejected');
create index on payments (payee, invoice) where try > 1;
create index on payments (day, currency);
create index on payments (upload);
create index on payments (account, amount);
create index on payments (payee, amount);
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
    execute format('create trigger only_added before update or delete or truncate on %I execute function payouts.refuse()', name);
  end loop;
end $$;
create trigger only_added before delete or truncate on payments execute function refuse();
create trigger only_its_state before update of external_id, upload, row, requested_by, payee,
  account, country, invoice, try, amount, currency, scheme, sender_entity, sender_account,
  sender_country, held, created_at on payments execute function refuse();

-- How cells are read --------------------------------------------------------------------------

-- The text of a cell: without invisible characters, with single blanks.
create function text_of(cell jsonb) returns text language sql immutable as $$
  select trim(regexp_replace(regexp_replace(normalize(coalesce(cell #>> '{}', ''), nfc),
    '[\u200B-\u200F\u2060\uFEFF\u0001-\u0008]', '', 'g'), '[[:space:]\u00A0\u2000-\u200A\u202F]+', ' ', 'g'))
$$;

-- Texts that differ only in case, blanks, or signs, such as INV-7 and inv 0007, are alike.
create function alike(value text) returns text language sql immutable as $$
  select regexp_replace(regexp_replace(upper(value), '(^|[^0-9])0+(?=[0-9])', '\1', 'g'), '[ -/:-@\[-`{-~]', '', 'g')
$$;
create index on payments (payee, alike(invoice));

-- Reads an amount that can be read in one way only. Otherwise, `problem` says what to write.
create function read_amount(cell jsonb, currency text, decimals int, out amount numeric, out problem text)
language plpgsql immutable as $$
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
    problem := format('%s can be read as %s, or as a number with three decimals. Write %2$s%s.', given,
      translate(digits, '.,', ''), case when decimals < 3 then ' if you mean that' else ', or four decimals' end);
  elsif digits ~ '^([0-9]+|(?!0+\.)[0-9]{1,3}(\.[0-9]{3})+)(,[0-9]+)?$' then
    amount := translate(digits, ',.', '.')::numeric;
    fraction := rtrim(split_part(digits, ',', 2), '0');
  elsif digits ~ '^([0-9]+|(?!0+,)[0-9]{1,3}(,[0-9]{3})+)(\.[0-9]+)?$' then
    amount := translate(digits, ',', '')::numeric;
    fraction := rtrim(split_part(digits, '.', 2), '0');
  else
    problem := format('%s isn''t an amount. Write digits, and one separator if it has decimals.', given);
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
  select concat(currency, ' ', regexp_replace(trunc(amount)::text, '(?<=[0-9])(?=([0-9]{3})+$)', ',', 'g'), substring(amount::text from '\.[0-9]+$'))
$$;

-- Upload --------------------------------------------------------------------------------------

-- Why a payment needs a tick: another try, a possible duplicate, an account that can be wrong, an
-- unusual amount, or a number that a spreadsheet can have made of a date. Empty without a reason.
create function reasons_to_hold(one payments) returns text language sql stable as $$
  with other as not materialized (
    select p.*, format('%s, %s, %s, %s', p.invoice, money(p.currency, p.amount), p.state, p.external_id) as name
    from payments p where p.external_id <> one.external_id and p.state not in ('declined', 'withdrawn')
  ), date_numbers as (select current_date - date '1899-12-30' as today)
  select concat_ws(' ',
    (select format('Another try of %s.', name) from other
      where payee = one.payee and invoice = one.invoice order by try desc limit 1),
    (select format('Possible duplicate: the same invoice in another spelling, %s.', name) from other
      where payee = one.payee and alike(invoice) = alike(one.invoice) and invoice <> one.invoice limit 1),
    (select format('Possible duplicate: the same amount, %s.', name) from other, settings
      where (payee = one.payee or account = one.account) and amount = one.amount
        and currency = one.currency and invoice <> one.invoice
        and created_at > now() - make_interval(days => duplicate_days)
      order by created_at desc limit 1),
    (select format('Another payee has this account: %s.', payee) from accounts
      where account = one.account and payee <> one.payee limit 1),
    (select 'It''s our own account.' from currencies where sender_account = one.account limit 1),
    case when one.account ~ '^[A-Z]{2}[0-9]{2}' and left(one.account, 2) <> one.country
      then format('The IBAN is of %s, and the country is %s.', left(one.account, 2), one.country) end,
    (select format('Unusual amount: the highest payment to this payee was %s.', money(one.currency, highest))
      from settings, (select max(amount) as highest from other where payee = one.payee
        and currency = one.currency and state in ('accepted', 'paid')) as earlier
      where one.amount > highest * unusual_times),
    (select format('%s as an invoice can be a date.', one.invoice) from date_numbers
      where one.invoice ~ '^[0-9]{5}$' and abs(one.invoice::numeric - today) < 730),
    (select format('%s as an amount can be a date.', one.amount) from date_numbers
      where one.amount = trunc(one.amount) and abs(one.amount - today) < 730))
$$;

-- Saves the rows of a file as payments that wait for approval, and says what becomes of each. A row
-- has the cells Invoice, Payee, Account, Country, Amount, Currency, and can have Scheme; `line` is
-- its number in the file, and `more` what is beyond the columns.
create function upload(person text, file text, rows jsonb)
returns table (line int, invoice text, payee text, account text, amount text, result text, why text)
language plpgsql security definer set search_path = payouts, pg_temp as $$
#variable_conflict use_column
declare
  this_upload int; cells jsonb; ours currencies; last payments; one payments; problem text;
begin
  if not exists (select from people where email = lower(person) and may_upload) then
    raise exception '% may not upload. Who owns the database can allow it.', person;
  elsif jsonb_array_length(rows) = 0 then
    raise exception 'The file has no rows below the columns Invoice, Payee, Account, Country, Amount, and Currency. If yours have other names, add them in the node Rows.';
  end if;
  perform pg_advisory_xact_lock(hashtext('payouts.upload')); -- one file after the other
  insert into uploads (person, file) values (lower(person), file) returning upload into this_upload;
  for cells in select value from jsonb_array_elements(rows) loop
    one := null;
    one.invoice := text_of(cells -> 'Invoice');
    one.payee := text_of(cells -> 'Payee');
    one.account := account_of(cells -> 'Account');
    one.country := upper(text_of(cells -> 'Country'));
    one.currency := upper(text_of(cells -> 'Currency'));
    select * into ours from currencies where currency = one.currency;
    select read.amount, read.problem into one.amount, problem
      from read_amount(cells -> 'Amount', one.currency, coalesce(ours.decimals, 2)) as read;
    select * into last from payments where payee = one.payee and invoice = one.invoice order by try desc limit 1;
    problem := concat_ws(' ', problem,
      case when one.invoice = '' then 'Invoice is empty.' end,
      case when length(one.invoice) > 100 then 'Invoice has more than 100 characters.' end,
      case when one.payee = '' then 'Payee is empty.' end,
      case when one.account = '' then 'Account is empty.' end,
      case when is_wrong_iban(one.account) then format('The check digits of %s are wrong.', one.account) end,
      case when not is_country(one.country) then format('Country is "%s". Write two letters, such as DE.', one.country) end,
      case when ours.currency is null then format('Currency is "%s". It can be %s.', one.currency,
        (select string_agg(currency, ', ' order by currency) from currencies)) end,
      case when one.amount > ours.per_day then format('%s is above the limit of a day, %s.',
        money(one.currency, one.amount), money(one.currency, ours.per_day)) end,
      case when text_of(cells -> 'more') <> '' then format('The row has more cells than the columns: %s.', cells ->> 'more') end);
    line := (cells ->> 'line')::int;
    invoice := one.invoice; payee := one.payee; account := one.account; why := problem;
    amount := case when one.amount is null then text_of(cells -> 'Amount') else money(one.currency, one.amount) end;
    result := 'to correct';
    if problem = '' and last.state not in ('declined', 'withdrawn', 'rejected', 'failed', 'returned') then
      why := format('In the ledger as %s, %s, from row %s of %s, and %s.', last.external_id, money(last.currency, last.amount),
        last.row, (select u.file from uploads u where u.upload = last.upload), last.state);
      if (last.amount, last.currency, last.account, last.country) = (one.amount, one.currency, one.account, one.country) then
        result := 'left out';
      else
        why := why || ' Has it other content, it''s another payment: give it another invoice number.';
      end if;
    elsif problem = '' then
      one.try := coalesce(last.try, 0) + 1;
      one.external_id := concat_ws('.', one.invoice, left(encode(sha256(convert_to(one.payee || chr(31) || one.invoice, 'UTF8')), 'hex'), 10),
        nullif(one.try, 1));
      one.held := reasons_to_hold(one);
      insert into accounts (payee, account, country, entered_by) values (one.payee, one.account, one.country, lower(person))
        on conflict do nothing;
      insert into payments (external_id, upload, row, requested_by, payee, account, country, invoice, try, amount, currency,
        scheme, sender_entity, sender_account, sender_country, held)
      values (one.external_id, this_upload, line, lower(person), one.payee, one.account, one.country, one.invoice, one.try,
        one.amount, one.currency, coalesce(nullif(text_of(cells -> 'Scheme'), ''), ours.scheme), ours.sender_entity,
        ours.sender_account, ours.sender_country, one.held);
      why := concat_ws(' ', nullif(one.held, ''), new_account(one));
      result := case when why = '' then 'waits' else 'held' end;
    end if;
    return next;
  end loop;
  return query select null::int, null, null, null, string_agg(money(currency, sum), ', ' order by currency), 'total',
    format('%s payments wait for approval as file %s.', coalesce(sum(count), 0), this_upload)
  from (select currency, sum(amount), count(*) from payments where upload = this_upload group by currency) as sums;
end $$;

-- What an approver has to check about an account that isn't approved. Null if it is.
create function new_account(one payments) returns text language sql stable as $$
  select format('New account%s.', coalesce(' of a payee that has ' || (
      select string_agg(a.account, ', ') from account_approvals a where a.payee = one.payee), ''))
  where not exists (select from account_approvals a
    where (a.payee, a.account, a.country) = (one.payee, one.account, one.country))
$$;

-- Approve -------------------------------------------------------------------------------------

-- As many approvers as the amount needs.
create function approvers_needed(one payments) returns int language sql stable as $$
  select coalesce(max(approvers), 1) from tiers where currency = one.currency and above < one.amount
$$;

-- The labels of the checkboxes for a held payment and for an account.
create function tick(one payments) returns text language sql stable as $$
  select format('Row %s, %s, %s: %s', one.row, one.invoice, money(one.currency, one.amount), one.held)
$$;
create function account_tick(one payments) returns text language sql stable as $$
  select format('%s of %s, %s', one.account, one.payee, one.country)
$$;

-- The payments of one file that this person can decide, or withdraw, at most 500: of the file with
-- this number, otherwise of the one that waits longest.
create function waiting_for(person text, wanted int default null)
returns table (external_id text, own boolean, line int, invoice text, payee text, account text, country text, amount text,
  approvals text, held text, new_account text, tick text, account_tick text, headline text)
language sql security definer set search_path = payouts, pg_temp as $$
  with mine as (
    select p, p.requested_by = lower(person) as own from payments p
    where state = 'waiting' and (requested_by = lower(person)
      or exists (select from people where email = lower(person) and may_approve) and not exists (
        select from approvals a where a.external_id = p.external_id and a.person = lower(waiting_for.person)))
  ), page as (
    select p, own from mine where (p).upload = coalesce(wanted, (select (p).upload from mine order by own, (p).upload limit 1))
    order by (p).row limit 500
  ), head as (
    select format('%s, uploaded by %s. Not held: %s. Files that wait for you: %s.', file, u.person,
      coalesce((select string_agg(money(currency, sum), ', ') from (select (p).currency, sum((p).amount) from page
        where (p).held = '' and new_account(p) is null group by 1 order by 1) as sums), 'nothing'),
      (select string_agg(format('%s with %s', upload, count), ', ') from (select (p).upload, count(*) from mine group by 1 order by 1) as files)) as line
    from uploads u where upload = (select (p).upload from page limit 1)
  )
  select (p).external_id, own, (p).row, (p).invoice, (p).payee, (p).account, (p).country, money((p).currency, (p).amount),
    format('%s of %s', (select count(*) from approvals a where a.external_id = (p).external_id and decision = 'approved'), approvers_needed(p)),
    (p).held, new_account(p), tick(p), account_tick(p), head.line
  from page, head order by (p).row
$$;

-- Decides about the payments that a page has shown. `approve` approves what isn't held or is ticked,
-- if the account is approved or ticked; the rest goes on waiting. `decline` and `withdraw` end all
-- that was shown. Rows to leave out go on waiting, too.
create function decide(person text, decision text, page jsonb)
returns table (result text, payments bigint, total text)
language plpgsql security definer set search_path = payouts, pg_temp as $$
#variable_conflict use_column
declare
  me text := lower(person);
  ticked text[] := array(select jsonb_array_elements_text(page -> 'held'));
  ticked_accounts text[] := array(select jsonb_array_elements_text(page -> 'accounts'));
  kept int[] := array(select m[1]::int from regexp_matches(coalesce(page ->> 'leave_out', ''), '[0-9]+', 'g') as m);
  verb text := case decision when 'approve' then 'approved' when 'decline' then 'declined' when 'withdraw' then 'withdrawn' end;
  one payments; row_results text[] := '{}'; row_ids text[] := '{}'; came text;
begin
  if decision = 'stop' then
    perform stop(person, page ->> 'comment');
    return query select 'stopped', 0::bigint, 'Nothing more is sent until the owner of the database goes on.';
    return;
  elsif verb is null then
    raise exception 'A decision is approve, decline, withdraw, or stop.';
  elsif decision <> 'withdraw' and not exists (select from people where email = me and may_approve) then
    raise exception '% may not approve. Who owns the database can allow it.', person;
  end if;
  for one in select * from payments p where p.external_id in (select jsonb_array_elements_text(page -> 'shown'))
    order by p.external_id for update
  loop
    if verb = 'approved' and one.requested_by <> me and account_tick(one) = any (ticked_accounts) then
      insert into account_approvals (payee, account, country, entered_by, person)
        select a.payee, a.account, a.country, a.entered_by, me from accounts a
        where (a.payee, a.account, a.country) = (one.payee, one.account, one.country) and a.entered_by <> me
        on conflict do nothing;
    end if;
    came := case
      when one.state <> 'waiting' then 'no longer waiting'
      when one.row = any (kept) then 'left out, so it waits'
      when verb = 'withdrawn' and one.requested_by <> me then 'not withdrawn: somebody else asked for it'
      when verb <> 'withdrawn' and one.requested_by = me then 'not ' || verb || ': you asked for it'
      when verb = 'approved' and new_account(one) is not null then 'waits: its account isn''t approved'
      when verb = 'approved' and one.held <> '' and not tick(one) = any (ticked) then 'held, so it waits'
    end;
    if came is null then
      insert into approvals (external_id, requested_by, person, decision, comment)
        values (one.external_id, one.requested_by, me, verb, coalesce(page ->> 'comment', '')) on conflict do nothing;
      if not found then
        came := 'decided by you before';
      elsif verb <> 'approved' or (select count(*) from approvals a where a.external_id = one.external_id
          and a.decision = 'approved') >= approvers_needed(one) then
        update payments p set state = verb where p.external_id = one.external_id;
        came := verb;
      else
        came := 'approved by you, and waits for another approver';
      end if;
    end if;
    row_ids := row_ids || one.external_id;
    row_results := row_results || came;
  end loop;
  return query
    select came_of, sum(n)::bigint, string_agg(money(currency, amount), ', ' order by currency) from (
      select r.came_of, p.currency, count(*) as n, sum(p.amount) as amount
      from unnest(row_ids, row_results) as r (id, came_of) join payments p on p.external_id = r.id group by 1, 2) as sums
    group by came_of order by came_of;
end $$;

-- Stops all payments, at once. Only who owns the database goes on, with a row in stops.
create function stop(person text, comment text) returns void
language plpgsql security definer set search_path = payouts, pg_temp as $$
begin
  if not exists (select from people where email = lower(person)) then raise exception '% isn''t known here.', person; end if;
  insert into stops (person, stopped, comment) values (lower(person), true, coalesce(comment, ''));
end $$;
create function is_stopped() returns boolean language sql stable as $$
  select coalesce((select stopped from stops order by at desc limit 1), false)
$$;

-- Pay -----------------------------------------------------------------------------------------

-- What the limit of each currency leaves for today.
create view left_today as
  select c.currency, t.day, c.per_day - coalesce((select sum(p.amount) from payments p
    where p.day = t.day and p.currency = c.currency), 0) as amount
  from currencies c, (select (now() at time zone time_zone)::date as day from settings) as t;

-- Takes payments to send: those without a result again, with the same External ID, then approved
-- ones within the limit of the day. One claim at a time, so that the sums stay true.
create function claim(most int, execution text)
returns table (external_id text, amount text, currency text, scheme text, invoice text, payee text, account text, country text,
  sender_entity text, sender_account text, sender_country text, created_at text)
language plpgsql security definer set search_path = payouts, pg_temp as $$
#variable_conflict use_column
declare
  one payments; rest left_today; taken text[];
begin
  perform from settings for update;
  if is_stopped() then return; end if;
  taken := array(select p.external_id from payments p, settings s
    where state = 'sending' and last_sent_at < now() - make_interval(mins => retry_minutes)
      and first_sent_at > now() - make_interval(hours => retry_hours)
    order by last_sent_at limit most);
  for rest in select * from left_today loop
    for one in select * from payments p where state = 'approved' and p.currency = rest.currency and p.amount <= rest.amount
      order by p.created_at, p.row limit most - cardinality(taken)
    loop
      continue when one.amount > rest.amount;
      rest.amount := rest.amount - one.amount;
      taken := taken || one.external_id;
      update payments p set day = rest.day, first_sent_at = now() where p.external_id = one.external_id;
    end loop;
  end loop;
  -- Not what an event has resolved since it was read above.
  with sent as (update payments p set state = 'sending', last_sent_at = now()
    where p.external_id = any (taken) and p.state in ('approved', 'sending') returning p.external_id)
  insert into attempts (external_id, execution) select sent.external_id, claim.execution from sent;
  return query select p.external_id, p.amount::text, p.currency, p.scheme, p.invoice, p.payee, p.account, p.country, p.sender_entity,
    p.sender_account, p.sender_country, to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  from payments p where p.external_id = any (taken) and p.state = 'sending' order by p.created_at, p.row;
end $$;

-- Saves what the Payments node said about the attempts of an execution. What it doesn't know stays
-- without a result, and is sent again. What wasn't sent is approved as before.
create function record(execution text, items jsonb) returns table (external_id text, state text, message text)
language plpgsql security definer set search_path = payouts, pg_temp as $$
#variable_conflict use_column
declare
  item jsonb; this_attempt attempts; one payments; earlier boolean;
begin
  for item in select value from jsonb_array_elements(items) loop
    select * into one from payments p where p.external_id = item ->> 'externalId' for update;
    select * into this_attempt from attempts a where a.external_id = one.external_id and a.execution = record.execution
      order by attempt desc limit 1;
    continue when this_attempt is null;
    insert into results (attempt, outcome, message) values (this_attempt.attempt, item ->> 'outcome',
      concat_ws(' ', item ->> 'message', item ->> 'fix')) on conflict do nothing;
    continue when not found or one.state <> 'sending';
    -- An earlier attempt without a final result can be recorded, whatever a later one says.
    earlier := exists (select from attempts a left join results r using (attempt) where a.external_id = one.external_id
      and a.attempt < this_attempt.attempt and coalesce(r.outcome, 'unknown') not in ('notSent', 'invalid')
      and a.attempt > coalesce((select max(attempt) from attempts s where s.external_id = one.external_id and s.execution like 'settled by %'), 0));
    one.state := case
      when item ->> 'outcome' in ('created', 'duplicate') then 'accepted'
      when item ->> 'outcome' in ('rejected', 'invalid') and not earlier then 'rejected'
      when item ->> 'outcome' = 'notSent' and not earlier then 'approved'
      else 'sending' end;
    update payments p set state = one.state, day = case when one.state in ('rejected', 'approved') then null else p.day end,
      first_sent_at = case when one.state = 'approved' then null else p.first_sent_at end
    where p.external_id = one.external_id;
    external_id := one.external_id; state := one.state; message := concat_ws(' ', item ->> 'message', item ->> 'fix');
    return next;
  end loop;
end $$;

-- For the owner: ends a doubt, after somebody has looked the payment up in the service.
create function settle(id text, person text, is_recorded boolean) returns void language sql set search_path = payouts, pg_temp as $$
  with looked_up as (insert into attempts (external_id, execution) values (id, 'settled by ' || person) returning attempt)
  insert into results (attempt, outcome, message)
    select attempt, case when is_recorded then 'created' else 'notSent' end, 'Settled by ' || person from looked_up;
  update payments set state = case when is_recorded then 'accepted' else 'approved' end,
    first_sent_at = case when is_recorded then first_sent_at end, day = case when is_recorded then day end
  where external_id = id and state = 'sending';
$$;

-- Follow --------------------------------------------------------------------------------------

-- Saves an event once. The latest final status counts, whatever order events arrive in. Returns a
-- row if somebody has to know: money that didn't arrive or came back, another amount, or a payment
-- that the ledger didn't send.
create function record_event(event jsonb) returns table (external_id text, subject text, message text)
language plpgsql security definer set search_path = payouts, pg_temp as $$
#variable_conflict use_column
declare
  one payments; data jsonb := event -> 'data'; became text;
begin
  select * into one from payments p where p.external_id = data -> 'metadata' ->> 'externalId' for update;
  if one.external_id is null then return; end if;
  insert into events (event_id, external_id, status, body, at) values (event ->> 'id', one.external_id,
    coalesce(data ->> 'status', ''), event,
    case when event ->> 'createdAt' ~ '^[0-9]+$' then to_timestamp((event ->> 'createdAt')::numeric / 1000) -- milliseconds
      else coalesce((event ->> 'createdAt')::timestamptz, now()) end) on conflict do nothing;
  if not found then return; end if;
  select case status when 'COMPLETED' then 'paid' when 'RETURNED' then 'returned' else 'failed' end into became
    from events e where e.external_id = one.external_id and status in ('COMPLETED', 'RETURNED', 'REJECTED', 'FAILED')
    order by at desc, status = 'RETURNED' desc limit 1;
  became := coalesce(became, 'accepted');
  update payments p set state = became where p.external_id = one.external_id;
  external_id := one.external_id;
  message := concat_ws(' ',
    case when one.state in ('waiting', 'approved', 'declined', 'withdrawn', 'rejected') then format('It was %s here, and the service has it.', one.state) end,
    case when (data ->> 'amount' ~ '^[0-9]+(\.[0-9]+)?$' and (data ->> 'amount')::numeric <> one.amount) or data ->> 'currency' <> one.currency
      then format('The service has %s %s.', data ->> 'currency', data ->> 'amount') end,
    case when became in ('failed', 'returned') and became <> one.state then format('Its status is %s.', data ->> 'status') end);
  subject := format('%s to %s: %s', money(one.currency, one.amount), one.payee, one.external_id);
  if message <> '' then return next; end if;
end $$;

-- Look up and watch ---------------------------------------------------------------------------

-- Each payment with what became of it, and why.
create view ledger as
  select p.external_id, p.invoice, p.payee, p.account, p.country, money(p.currency, p.amount) as amount, p.state as result,
    coalesce(nullif(concat_ws(' ', case when p.state in ('waiting', 'approved') then nullif(p.held, '') end,
      (select r.message from attempts a join results r using (attempt) where a.external_id = p.external_id
        and p.state in ('sending', 'rejected', 'approved') order by attempt desc limit 1)), ''), '') as why,
    p.requested_by, (select string_agg(format('%s %s %s %s', a.person, a.decision, to_char(a.at, 'YYYY-MM-DD HH24:MI'), a.comment), '; ' order by a.at)
      from approvals a where a.external_id = p.external_id) as decisions,
    p.upload, p.row, p.created_at, p.first_sent_at, p.last_sent_at, p.day,
    (select count(*) from attempts a where a.external_id = p.external_id) as attempts,
    (select max(e.at) from events e where e.external_id = p.external_id) as last_event_at
  from payments p;

-- The payments that are open, of a file by its number, of a day, or by an invoice, payee, or External ID.
create function look_up(person text, kind text, wanted text) returns setof ledger
language plpgsql security definer set search_path = payouts, pg_temp as $$
begin
  if not exists (select from people where email = lower(person)) then
    raise exception '% isn''t known here.', person;
  elsif kind = 'open' then
    return query select * from ledger where result in ('waiting', 'approved', 'sending') order by created_at limit 1000;
  elsif kind = 'file' then
    return query select * from ledger where upload = wanted::int order by row limit 5000;
  elsif kind = 'day' then
    return query select * from ledger where day = wanted::date order by first_sent_at limit 5000;
  else
    return query select * from ledger where wanted in (invoice, payee, external_id) order by created_at desc limit 1000;
  end if;
end $$;

-- What somebody has to look at, for one email a day.
create view attention as
  with found as (
    select 'In doubt, and no longer retried: look it up in the service' as what, external_id, currency, amount, first_sent_at as since
      from payments, settings where state = 'sending' and first_sent_at < now() - make_interval(hours => retry_hours)
    union all select 'Retried for an hour without a result', external_id, currency, amount, first_sent_at
      from payments, settings where state = 'sending' and first_sent_at < now() - interval '1 hour'
        and first_sent_at >= now() - make_interval(hours => retry_hours)
    union all select 'Approved, and not sent for a day: the limit of the day, or payments are stopped', external_id, currency, amount, created_at
      from payments where state = 'approved' and created_at < now() - interval '1 day'
    union all select 'Waiting for approval for two days', external_id, currency, amount, created_at
      from payments where state = 'waiting' and created_at < now() - interval '2 days'
    union all select 'Accepted, and no event for two days: look it up in the service', external_id, currency, amount, last_sent_at
      from payments where state = 'accepted' and last_sent_at < now() - interval '2 days'
    union all select 'Rejected by the service in the last day', external_id, currency, amount, last_sent_at
      from payments where state = 'rejected' and last_sent_at > now() - interval '1 day'
    union all select 'Failed or returned in the last day', p.external_id, currency, amount, e.received_at
      from events e join payments p using (external_id)
      where e.received_at > now() - interval '1 day' and e.status in ('REJECTED', 'FAILED', 'RETURNED')
    union all select 'Recorded before the first attempt: compare it with the service', p.external_id, currency, amount, a.at
      from attempts a join results r using (attempt) join payments p using (external_id)
      where r.at > now() - interval '1 day' and outcome = 'duplicate'
        and not exists (select from attempts b where b.external_id = a.external_id and b.attempt < a.attempt)
    union all select 'Two tries of one invoice are paid', p.external_id, p.currency, p.amount, p.last_sent_at
      from payments p join payments q on (q.payee, q.invoice) = (p.payee, p.invoice) and q.try < p.try
      where p.try > 1 and p.state in ('accepted', 'paid') and q.state in ('accepted', 'paid')
  )
  select what, count(*) as payments, min(since) as since, string_agg(external_id, ', ' order by since) as external_ids
  from found group by what
  union all select 'All payments are stopped: ' || comment, 0, at, person from stops where at = (select max(at) from stops) and stopped;

revoke all on all functions in schema payouts from public;
grant usage on schema payouts to payouts_n8n;
grant execute on function upload, waiting_for, decide, claim, record, record_event, look_up to payouts_n8n;
grant select on ledger, attention to payouts_n8n;
commit;
