// Compares three sources, number by number: the uploaded files, the results of each row, and the state of
// the simulator. Everything on which they disagree is a difference.

import type { ImportItem } from '#shared/import/import.ts';
import { msisdnKey } from '#shared/row/msisdn.ts';
import { tokenOfPortName } from '#shared/text/identity.ts';
import { claimsAmong, type Evidence, portsAmong, type ResultRow, requestsAmong } from './evidence.ts';
import type { UploadedFile } from './files.ts';

/** `duplicate`: created more than once, or without a row. `lost`: a row or port without a result. */
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

/** Outcomes of rows that the service does not have, and of rows that it has. */
const notCreated = ['rejected', 'duplicate', 'skipped', 'declined', 'not-sent'];
const created = ['complete', 'cancelled', 'in-progress', 'action-required'];

export function differencesOf(evidence: Evidence): Difference[] {
  return [
    ...evidence.uploads.flatMap((file) => checkFile(file, evidence)),
    ...evidence.imports.flatMap((item) => checkRows(item, evidence)),
    ...checkPorts(evidence),
    ...checkTable(evidence),
    ...checkTextMessages(evidence),
  ];
}

/** Every file is one import, and every row has one result. */
function checkFile({ key, rows }: UploadedFile, { imports, results }: Evidence): Difference[] {
  const own = imports.filter((item) => item.key === key);
  const [item] = own;
  if (item === undefined) return [lost(`${key} never became an import`)];
  if (own.length > 1) return [duplicate(`${key} became ${own.length} imports`)];
  const lines = results.get(item.importId)?.map(({ line }) => line) ?? [];
  const expected = Array.from({ length: rows }, (_, index) => index + 2);
  const missing = expected.filter((line) => !lines.includes(line));
  return [
    ...missing.map((line) => lost(`${key} line ${line}: results.csv does not have it`)),
    ...(lines.length + missing.length > rows ? [duplicate(`${key}: results.csv has a line twice`)] : []),
    ...(item.rows === rows ? [] : [lost(`${key}: ${rows} rows were uploaded, ${item.rows} were read (${item.state})`)]),
  ];
}

/** results.csv agrees with the service on every number. */
function checkRows(item: ImportItem, { results, service }: Evidence): Difference[] {
  const ports = new Map(service.ports.map((port) => [port.id, port]));
  const lines = results.get(item.importId) ?? [];
  if (item.operation === 'create-port') return lines.flatMap((row) => checkRow(item.key, row, ports));
  // The last result of a change is `accepted`; the import that created the port shows its effect.
  const final = ['accepted', ...notCreated];
  const isFinal = ({ outcome }: ResultRow): boolean =>
    final.includes(outcome) || (item.operation === 'send-sms' && outcome === 'action-required');
  return lines
    .filter((line) => !isFinal(line))
    .map(({ line, outcome }) => lost(`${item.key} line ${line}: ${outcome}`));
}

function checkRow(key: string, result: ResultRow, ports: ReadonlyMap<string, ServicePort>): Difference[] {
  const { line, outcome, portId, status } = result;
  const what = `${key} line ${line} (${outcome} ${status})`;
  if (notCreated.includes(outcome)) return [];
  if (!created.includes(outcome)) return [lost(`${what}: its result is unknown`)];
  const port = ports.get(portId);
  const row = port?.rows.find(({ number }) => number === numberOf(result));
  if (port === undefined || row === undefined)
    return [lost(`${what}: the service has no such number in port "${portId}"`)];
  const actual = outcomeOf(port, row);
  if (actual !== outcome) return [wrong(`${what}: at the service it is ${actual}: ${port.status}, ${row.status}`)];
  return [port.status, row.status].includes(status)
    ? []
    : [wrong(`${what}: the service shows ${port.status}, ${row.status}`)];
}

const numberOf = ({ msisdn = '' }: ResultRow): string => msisdnKey(msisdn, '44');
const isLive = (port: ServicePort, row: ServiceRow): boolean =>
  port.status !== 'Cancelled' && row.status !== 'Cancelled';
/** After its port is complete, another import may claim the number. */
const isInProgress = (port: ServicePort, row: ServiceRow): boolean => isLive(port, row) && port.status !== 'Complete';

function outcomeOf(port: ServicePort, row: ServiceRow): string {
  if (!isLive(port, row)) return 'cancelled';
  if (port.status === 'Complete') return 'complete';
  return ['PacInvalid', 'PacInvalidDate'].includes(row.status) ? 'action-required' : 'in-progress';
}

/** Every number at the service belongs to a row, and no number or request has two ports. */
function checkPorts({ imports, results, service }: Evidence): Difference[] {
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
      .map(({ port, row }) => duplicate(`${row.number} is in port ${port.id}, which belongs to no row`)),
    ...[...live]
      .filter(([, ports]) => ports.length > 1)
      .map(([number, ports]) => duplicate(`${number} is in ports ${ports.map(({ port }) => port.id).join(', ')}`)),
    ...[...byToken]
      .filter(([, ports]) => ports.length > 1)
      .map(([token, ports]) => duplicate(`${token} created ports ${ports.map(({ id }) => id).join(', ')}`)),
  ];
}

/** The table agrees with the service: requests, ports, and the claim of each number. */
function checkTable({ items, service }: Evidence): Difference[] {
  const atService = new Map(service.ports.map((port) => [port.id, port]));
  const requests = requestsAmong(items);
  const claims = new Map(claimsAmong(items).map((claim) => [claim.number, claim]));
  const unfinished = requests
    .filter(({ state, operation }) => isUnfinished(state) || (state === 'action-required' && operation !== 'send-sms'))
    .map(({ token, state, error }) => lost(`request ${token} is ${state}: ${error?.message ?? ''}`));
  const statuses = [
    ...portsAmong(items).map(({ portId, status }) => ({ what: `port ${portId}`, portId, status })),
    ...requests.map(({ token, portId, portStatus }) => ({ what: `request ${token}`, portId, status: portStatus })),
  ].filter(({ portId, status }) => portId !== undefined && atService.get(portId)?.status !== status);
  const unclaimed = requests.flatMap(({ portId, importId, request }) =>
    (atService.get(portId ?? '')?.rows ?? [])
      .filter((row) => isInProgress(atService.get(portId ?? '') as ServicePort, row))
      .filter(({ number }) => claims.get(number)?.importId !== importId || claims.get(number)?.request !== request)
      .map(({ number }) => wrong(`${number}: its claim is not that of port ${portId}`)),
  );
  return [
    ...unfinished,
    ...statuses.map(({ what, portId, status }) =>
      wrong(`${what} is ${status} in the table, ${atService.get(portId ?? '')?.status} at the service`),
    ),
    ...unclaimed,
  ];
}

const isUnfinished = (state: string): boolean => ['planned', 'in-flight', 'unknown'].includes(state);

/** A text message is sent at most once. If the outcome is unknown, action is required. */
function checkTextMessages({ imports, results, service }: Evidence): Difference[] {
  const tickets = Map.groupBy(service.submissions, ({ body }) => String(body.message));
  return imports
    .filter(({ operation }) => operation === 'send-sms')
    .flatMap(({ key, importId }) =>
      (results.get(importId) ?? []).flatMap(({ line, outcome, portId }) => {
        const own = tickets.get(`${key} line ${line}`) ?? [];
        const what = `${key} line ${line} (${outcome})`;
        if (own.length > 1) return [duplicate(`${what}: ${own.length} tickets`)];
        if (
          outcome === 'action-required' ||
          (outcome === 'accepted') === (own[0] !== undefined && own[0].ticketNumber === portId)
        )
          return [];
        return [wrong(`${what}: its ticket is ${own[0]?.ticketNumber ?? 'not there'}`)];
      }),
    );
}
