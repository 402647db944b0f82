// The whole work of ingest in SQL, for DuckDB on one thread: normalised numbers, names of the catalogue, check digits,
// duplicates, requests of 100 rows with their index, and the rejected rows with reasons.

/** An empty cell is null, and an empty list. */
const listOf = (column: string): string => `coalesce(string_split(${column}, ';'), [])`;
const idsOf = (column: string): string => `list_transform(${listOf(column)}, lambda id: try_cast(id as integer))`;

/** The Luhn algorithm: from the right, every second digit is doubled. */
const luhnSum = `list_sum(list_transform(string_split(reverse(serialNo), ''), lambda digit, place:
  case when place % 2 = 1 then try_cast(digit as integer)
    when digit > '4' then 2 * try_cast(digit as integer) - 9 else 2 * try_cast(digit as integer) end))`;

const createNames = `create temp table target_networks as select * from (values ('UK Mobile A', 11), ('UK Mobile B', 12)) as t(name, id);
   create temp table source_networks as
     select * from (values ('Source Mobile One', 1), ('Source Mobile Two', 2), ('3', 3)) as t(name, id);
   create temp table tariffs as select * from
     (values ('2001', 2001), ('Business Unlimited', 2002), ('Mobile B Basic', 3101), ('3102', 3102)) as t(name, id)`;

const createFormatted = (file: string, hasExpiry: boolean): string => `create temp table formatted as
     select rows.*, target_networks.id as target, source_networks.id as source, tariffs.id as tariffId,
       regexp_replace(regexp_replace(msisdn, '[\\s()+-]', '', 'g'), '^(0044|44|0)', '') as number,
       case
         when portType <> 'Port' then 'unknown port type'
         when target_networks.id is null then 'unknown target network'
         when source_networks.id is null then 'unknown source network'
         when tariffs.id is null then 'unknown tariff'
         when connectionDate <> 'auto' and try_cast(connectionDate as date) is null then 'invalid date'
         when not list_has_all([101, 102, 103, 104, 105], ${idsOf('boltOns')}) then 'unknown bolt-on'
         when not list_has_all(['Roaming', 'Data Roaming', 'Voicemail', 'Premium Rate Calls'],
           list_transform(${listOf('services')}, lambda pair: split_part(pair, '=', 1))) then 'unknown service'
         when (provisioningOrder is null) = (provisioningOrderName is null) then 'one provisioning order is needed'
         when not regexp_full_match(number, '7\\d{9}') then 'invalid number'
         when not coalesce(regexp_full_match(serialNo, '89\\d{17,18}') and ${luhnSum} % 10 = 0, false) then 'invalid SIM'
         when not coalesce(regexp_full_match(pac, '[A-Z]{3}\\d{6}'), false) then 'invalid PAC'
         ${hasExpiry ? `when coalesce(try_cast(pacExpiry as date) < date '2026-07-01', true) then 'the PAC expires too early'` : ''}
       end as problem
     from (select *, row_number() over () + 1 as line
           from read_csv('${file.replaceAll("'", "''")}', header = true, all_varchar = true)) as rows
     left join target_networks on target_networks.name = targetNetwork
     left join source_networks on source_networks.name = sourceNetwork
     left join tariffs on tariffs.name = tariff`;

const createChecked = `create temp table checked as
     select * exclude (problem), case
         when problem is not null then problem
         when row_number() over (partition by problem is null, number order by line) > 1 then 'number repeated'
         when row_number() over (partition by problem is null, serialNo order by line) > 1 then 'SIM repeated'
       end as problem
     from formatted`;

const createRequests = (hasExpiry: boolean): string => `create temp table requests as
     select row_number() over () as request, count as rowCount,
       to_json({request: row_number() over (), head: head, rows: rows})::varchar as text
     from (
       select head, list(row order by line) as rows, count(*) as count
       from (
         select head, line, row, (row_number() over (partition by head order by line) - 1) // 100 as place
         from (
           select line, {target: target, source: source, date: connectionDate, tariff: tariffId,
               boltOns: list_sort(${idsOf('boltOns')}), services: ${listOf('services')}, esim: esim,
               "order": provisioningOrder, orderName: provisioningOrderName} as head,
             {line: line, subject: '44' || number, wire: {msisdn: '0' || number, serialNo: serialNo, pac: pac,
               esim: esim = 'true'${hasExpiry ? ', pacExpiry: pacExpiry' : ''}}} as row
           from checked where problem is null))
       group by head, place)`;

const writeOutputs = [
  `copy (select text from requests) to '/dev/null' (format csv, header false)`,
  `copy (select request, rowCount, sum(strlen(text) + 1) over (order by request) as "end" from requests)
     to '/dev/null' (format json)`,
  `copy (select * exclude (number, target, source, tariffId) from checked where problem is not null)
     to '/dev/null' (format csv)`,
];

/** Statements for a file, in their order; the last one counts the valid rows. */
export function duckdbStatements(file: string, header: readonly string[]): readonly string[] {
  const hasExpiry = header.includes('pacExpiry');
  return [
    createNames,
    createFormatted(file, hasExpiry),
    createChecked,
    createRequests(hasExpiry),
    ...writeOutputs,
    'select count(*) from checked where problem is null',
  ];
}
