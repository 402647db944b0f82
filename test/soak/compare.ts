// Three witnesses of one soak, number by number: the files that were dropped, what the results tell of each line, and what the
// service itself holds. Whatever one says and another does not is a difference.
import { tokenOfPortName } from '#shared/domain/identity.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { msisdnKey } from '#shared/domain/port-look.ts';
import { claimsAmong, type Evidence, portsAmong, type ResultLine, requestsAmong } from './evidence.ts';

/** `duplicate`: made more than once, or without any line that owns it. `lost`: a line or its port that nobody answers for. */
export type DifferenceKind = 'duplicate' | 'lost' | 'wrong status';

export interface Difference {
  readonly kind: DifferenceKind;
  readonly text: string;
}

type ServicePort = Evidence['service']['ports'][number];
type ServiceRow = ServicePort['rows'][number];

const lost = (text: string): Difference => ({ kind: 'lost', text });
const duplicate = (text: string): Difference => ({ kind: 'duplicate', text });
const wrong = (text: string): Difference => ({ kind: 'wrong status', text });

/** Outcomes of a line for which the service holds nothing, and of one for which it does. */
const notMade = ['rejected', 'withdrawn', 'refused'];
const made = ['complete', 'cancelled', 'in-progress', 'attention'];

export function differencesOf(evidence: Evidence): Difference[] {
  return [
    ...evidence.dropped.flatMap((file) => judgeFile(file, evidence)),
    ...evidence.imports.flatMap((item) => judgeLines(item, evidence)),
    ...judgePorts(evidence),
    ...judgeTable(evidence),
    ...judgeTexts(evidence),
  ];
}

/** Every file is one import, and every line of it is answered for once. */
function judgeFile({ key, rows }: Evidence['dropped'][number], { imports, results }: Evidence): Difference[] {
  const own = imports.filter((item) => item.key === key);
  const [item] = own;
  if (item === undefined) return [lost(`${key} never became an import`)];
  if (own.length > 1) return [duplicate(`${key} became ${own.length} imports`)];
  const lines = results.get(item.importId)?.map(({ line }) => line) ?? [];
  const missing = Array.from({ length: rows }, (_, index) => index + 2).filter((line) => !lines.includes(line));
  return [
    ...missing.map((line) => lost(`${key} line ${line}: results.csv does not have it`)),
    ...(lines.length + missing.length > rows ? [duplicate(`${key}: results.csv has a line twice`)] : []),
    ...(item.rows === rows ? [] : [lost(`${key}: ${rows} rows were dropped, ${item.rows} were read`)]),
  ];
}

/** What results.csv says of each line is what the service says of its number. */
function judgeLines(item: ImportItem, { results, service }: Evidence): Difference[] {
  const ports = new Map(service.ports.map((port) => [port.id, port]));
  const lines = results.get(item.importId) ?? [];
  if (item.operation === 'create-port') return lines.flatMap((line) => judgeLine(item.key, line, ports));
  // A change is said to be accepted, never more; what it did shows on the import that made the port.
  const decided = ['accepted', ...notMade];
  const isDecided = ({ outcome }: ResultLine): boolean =>
    decided.includes(outcome) || (item.operation === 'send-sms' && outcome === 'attention');
  return lines
    .filter((line) => !isDecided(line))
    .map(({ line, outcome }) => lost(`${item.key} line ${line}: ${outcome}`));
}

function judgeLine(key: string, told: ResultLine, ports: ReadonlyMap<string, ServicePort>): Difference[] {
  const { line, outcome, portId, status } = told;
  const what = `${key} line ${line} (${outcome} ${status})`;
  if (notMade.includes(outcome)) return [];
  if (!made.includes(outcome)) return [lost(`${what}: nobody knows what became of it`)];
  const port = ports.get(portId);
  const row = port?.rows.find(({ number }) => number === numberOf(told));
  if (port === undefined || row === undefined)
    return [lost(`${what}: the service has no such number in port "${portId}"`)];
  const truth = outcomeOf(port, row);
  if (truth !== outcome) return [wrong(`${what}: at the service it is ${truth}: ${port.status}, ${row.status}`)];
  return [port.status, row.status].includes(status)
    ? []
    : [wrong(`${what}: the service says ${port.status}, ${row.status}`)];
}

const numberOf = ({ msisdn = '' }: ResultLine): string => msisdnKey(msisdn, '44');
const isLive = (port: ServicePort, row: ServiceRow): boolean =>
  port.status !== 'Cancelled' && row.status !== 'Cancelled';
/** Once its port is complete, another import may take the number over, and be told by the service that it has it. */
const isOnItsWay = (port: ServicePort, row: ServiceRow): boolean => isLive(port, row) && port.status !== 'Complete';

function outcomeOf(port: ServicePort, row: ServiceRow): string {
  if (!isLive(port, row)) return 'cancelled';
  if (port.status === 'Complete') return 'complete';
  return ['PacInvalid', 'PacInvalidDate'].includes(row.status) ? 'attention' : 'in-progress';
}

/** Every number that the service holds is some line's, and no number or request has two ports. */
function judgePorts({ imports, results, service }: Evidence): Difference[] {
  const owned = new Set(
    imports
      .filter(({ operation }) => operation === 'create-port')
      .flatMap(({ importId }) => results.get(importId) ?? [])
      .map((line) => `${line.portId} ${numberOf(line)}`),
  );
  const held = service.ports.flatMap((port) => port.rows.map((row) => ({ port, row })));
  const live = Map.groupBy(
    held.filter(({ port, row }) => isLive(port, row)),
    ({ row }) => row.number,
  );
  const byToken = Map.groupBy(service.ports, ({ name }) => tokenOfPortName(name) ?? name);
  return [
    ...held
      .filter(({ port, row }) => !owned.has(`${port.id} ${row.number}`))
      .map(({ port, row }) => duplicate(`${row.number} stands in port ${port.id}, of which no line knows`)),
    ...[...live]
      .filter(([, places]) => places.length > 1)
      .map(([number, places]) =>
        duplicate(`${number} stands in ports ${places.map(({ port }) => port.id).join(', ')}`),
      ),
    ...[...byToken]
      .filter(([, ports]) => ports.length > 1)
      .map(([token, ports]) => duplicate(`${token} made ports ${ports.map(({ id }) => id).join(', ')}`)),
  ];
}

/** The items say the same as results.csv: requests, ports, and the claim of each number. */
function judgeTable({ items, service }: Evidence): Difference[] {
  const truth = new Map(service.ports.map((port) => [port.id, port]));
  const requests = requestsAmong(items);
  const claims = new Map(claimsAmong(items).map((claim) => [claim.number, claim]));
  const undecided = requests
    .filter(({ state, operation }) => isUndecided(state) || (state === 'needs-human' && operation !== 'send-sms'))
    .map(({ token, state, error }) => lost(`request ${token} is ${state}: ${error?.message ?? ''}`));
  const statuses = [
    ...portsAmong(items).map(({ portId, status }) => ({ what: `port ${portId}`, portId, status })),
    ...requests.map(({ token, portId, portStatus }) => ({ what: `request ${token}`, portId, status: portStatus })),
  ].filter(({ portId, status }) => portId !== undefined && truth.get(portId)?.status !== status);
  const unclaimed = requests.flatMap(({ portId, importId, request }) =>
    (truth.get(portId ?? '')?.rows ?? [])
      .filter((row) => isOnItsWay(truth.get(portId ?? '') as ServicePort, row))
      .filter(({ number }) => claims.get(number)?.importId !== importId || claims.get(number)?.request !== request)
      .map(({ number }) => wrong(`${number}: its claim is not that of port ${portId}`)),
  );
  return [
    ...undecided,
    ...statuses.map(({ what, portId, status }) =>
      wrong(`${what} is ${status} in the table, ${truth.get(portId ?? '')?.status} at the service`),
    ),
    ...unclaimed,
  ];
}

const isUndecided = (state: string): boolean => ['planned', 'in-flight', 'unknown'].includes(state);

/** A text is asked for once at most; where nobody knows whether the service took it, a person is told. */
function judgeTexts({ imports, results, service }: Evidence): Difference[] {
  const tickets = Map.groupBy(service.submissions, ({ body }) => String(body.message));
  return imports
    .filter(({ operation }) => operation === 'send-sms')
    .flatMap(({ key, importId }) =>
      (results.get(importId) ?? []).flatMap(({ line, outcome, portId }) => {
        const own = tickets.get(`${key} line ${line}`) ?? [];
        const what = `${key} line ${line} (${outcome})`;
        if (own.length > 1) return [duplicate(`${what}: ${own.length} tickets`)];
        if (
          outcome === 'attention' ||
          (outcome === 'accepted') === (own[0] !== undefined && own[0].ticketNumber === portId)
        )
          return [];
        return [wrong(`${what}: its ticket is ${own[0]?.ticketNumber ?? 'not there'}`)];
      }),
    );
}
