// What people see of many imports, compared with what the porting simulator has: every figure of an import, every row
// of its results, and every number of the service.
import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import type { ImportItem } from '#shared/import/import.ts';
import { accountedFor, type Outcomes } from '#shared/outcome/outcome.ts';
import { msisdnKey } from '#shared/row/msisdn.ts';
import { tokenOfPortName } from '#shared/text/identity.ts';

const port = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  rows: z.array(z.object({ number: z.string(), status: z.string() })),
});
type Port = z.infer<typeof port>;

/** The answer of `/_sandbox/dump`, as far as it is compared. */
export const serviceDump = z.object({ ports: z.array(port) });

const resultRow = z.object({ line: z.coerce.number(), outcome: z.string(), portId: z.string(), msisdn: z.string() });
type ResultRow = z.infer<typeof resultRow>;

/** The rows of results.csv. */
export const readResultRows = (text: string): ResultRow[] =>
  z.array(resultRow).parse(parse(text, { columns: true, bom: true }));

export interface SeenImport {
  readonly item: ImportItem;
  readonly results: readonly ResultRow[];
}

/** Only a person can let such a port go on. */
const isBlocked = ({ rows }: Port): boolean => rows.some(({ status }) => status.startsWith('PacInvalid'));
const hasEnded = ({ status }: Port): boolean => status === 'Complete' || status === 'Cancelled';

/** Ports that still move by themselves. */
export const movingPorts = (ports: readonly Port[]): number =>
  ports.filter((each) => !hasEnded(each) && !isBlocked(each)).length;

/** @param files the rows of each uploaded file, by its key */
export function differencesFrom(
  files: ReadonlyMap<string, number>,
  imports: readonly SeenImport[],
  ports: readonly Port[],
): string[] {
  const byId = new Map(ports.map((each) => [each.id, each]));
  return [
    ...checkFiles(files, imports),
    ...imports.flatMap((seen) => [...checkFigures(seen, byId), ...checkRows(seen, byId)]),
    ...checkNumbers(imports, ports),
  ];
}

/** Every file is one import, and every row has one result. */
function checkFiles(files: ReadonlyMap<string, number>, imports: readonly SeenImport[]): string[] {
  const byKey = Map.groupBy(imports, ({ item }) => item.key);
  return [...files].flatMap(([key, rows]) => {
    const own = byKey.get(key) ?? [];
    if (own.length !== 1) return [`${key} is ${own.length} imports`];
    return own.flatMap(({ item, results }) => {
      const lines = new Set(results.map(({ line }) => line));
      const isComplete = item.rows === rows && results.length === rows && lines.size === rows;
      const found = `${item.rows} rows were read, ${results.length} have a result, on ${lines.size} lines`;
      return isComplete ? [] : [`${key} has ${rows} rows: ${found} (${item.state})`];
    });
  });
}

const tallyOf = (values: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]));

const sorted = (tally: Readonly<Record<string, number | undefined>>): string =>
  JSON.stringify(
    Object.entries(tally)
      .filter(([, count]) => count !== 0)
      .toSorted(),
  );

/** The outcomes of an import are those of its rows, and the statuses of its ports those at the service. */
function checkFigures({ item, results }: SeenImport, byId: ReadonlyMap<string, Port>): string[] {
  const outcomes: Outcomes = item.outcomes ?? item.progress?.outcomes ?? {};
  const ofRows = tallyOf(results.map(({ outcome }) => outcome));
  const portIds = [...new Set(results.map(({ portId }) => portId))].filter((id) => id !== '');
  const atService = tallyOf(portIds.map((id) => byId.get(id)?.status ?? 'missing'));
  const compared = [
    { what: 'outcomes', shown: sorted(outcomes), expected: sorted(ofRows) },
    { what: 'ports', shown: sorted(item.ports), expected: sorted(atService) },
    { what: 'rows', shown: String(accountedFor(outcomes)), expected: String(item.rows) },
  ];
  return compared
    .filter(({ shown, expected }) => shown !== expected)
    .map(({ what, shown, expected }) => `${item.key} (${item.state}): ${what} are shown as ${shown}, not ${expected}`);
}

const notAtService = ['rejected', 'duplicate', 'skipped', 'declined', 'not-sent'];
const numberOf = ({ msisdn }: ResultRow): string => msisdnKey(msisdn, '44');

/** A row in a port is in that port at the service, with the same outcome. */
function checkRows({ item, results }: SeenImport, byId: ReadonlyMap<string, Port>): string[] {
  return results.flatMap((row) => {
    if (notAtService.includes(row.outcome)) return [];
    const found = byId.get(row.portId);
    const inPort = found?.rows.find(({ number }) => number === numberOf(row));
    const actual = found === undefined || inPort === undefined ? 'not at the service' : outcomeOf(found, inPort.status);
    return actual === row.outcome ? [] : [`${item.key} line ${row.line} is shown as ${row.outcome}: it is ${actual}`];
  });
}

function outcomeOf({ status }: Port, rowStatus: string): string {
  if (status === 'Cancelled' || rowStatus === 'Cancelled') return 'cancelled';
  if (status === 'Complete') return 'complete';
  return rowStatus.startsWith('PacInvalid') ? 'action-required' : 'in-progress';
}

/** Every number at the service has one row that shows it, and is there once; no request made two ports. */
function checkNumbers(imports: readonly SeenImport[], ports: readonly Port[]): string[] {
  const shown = new Set(
    imports.flatMap(({ results }) => results.map((row) => `${row.portId} ${row.portId && numberOf(row)}`)),
  );
  const live = ports.flatMap(({ id, status, rows }) =>
    rows.filter((row) => status !== 'Cancelled' && row.status !== 'Cancelled').map(({ number }) => ({ id, number })),
  );
  const twice = (all: Map<string, readonly unknown[]>, what: string): string[] =>
    [...all].filter(([, places]) => places.length > 1).map(([key, { length }]) => `${key} is in ${length} ${what}`);
  return [
    ...live
      .filter(({ id, number }) => !shown.has(`${id} ${number}`))
      .map(({ id, number }) => `${number} of ${id} is in no row`),
    ...twice(
      Map.groupBy(live, ({ number }) => number),
      'ports',
    ),
    ...twice(
      Map.groupBy(ports, ({ name }) => tokenOfPortName(name) ?? name),
      'ports of one request',
    ),
  ];
}
