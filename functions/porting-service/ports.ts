// The use cases of the porting routes: ports are read as they are now, changed by the table, and kept.
import type { CreatePortBody, UpdatePortBody } from '#shared/porting/contract.ts';
import { cancelPort, canUpdateRow } from './advance.ts';
import type { Account, Network } from './catalogue.ts';
import { judgeBooking, judgeRows, newPort, onStockRecords } from './create-port.ts';
import { numberKey } from './number.ts';
import { isLiveRow, type Port, type Row, type RowStatus } from './port.ts';
import { asOfNow, readPort } from './port-now.ts';
import { type FieldError, Problem, problemOf } from './problem.ts';
import { orderNumber, ordersOf } from './provisioning-orders.ts';
import type { ServiceParts } from './service-parts.ts';
import { eventsOfNewPort } from './stock.ts';

/** What the port that last claimed a number means for a new request with that number; null where it let go of it. */
function conflictOf(holder: Port, row: Row | undefined, account: Account, msisdn: string): FieldError | null {
  if (row === undefined || !isLiveRow(row)) return null;
  if (holder.status === 'Complete') return onStockRecords(msisdn, 'msisdn');
  const which = holder.accountId === account.accountId ? ` (${holder.id})` : '';
  const badPac = row.status === 'PacInvalid' || row.status === 'PacInvalidDate';
  const message = badPac
    ? `MSISDN ${msisdn} already has a port with an invalid PAC${which}: cancel that port first.`
    : `MSISDN ${msisdn} is already in a port that is not finished${which}.`;
  return { field: 'msisdn', message, conflict: true };
}

interface Claims {
  readonly errors: FieldError[];
  readonly released: ReadonlyMap<string, string>;
}

/** Which numbers of the rows are held by live ports of any account, and which claims have lapsed. */
async function judgeClaims(parts: ServiceParts, account: Account, rows: CreatePortBody['rows']): Promise<Claims> {
  const numbers = rows.map(({ msisdn }) => numberKey(msisdn, account.callingCode) ?? '');
  const holders = await parts.store.holders(numbers);
  const portIds = [...new Set(holders.values().map(({ portId }) => portId))];
  const stored = await Promise.all(portIds.map((id) => parts.store.port(id)));
  const ports = new Map(stored.flatMap((port) => (port ? [[port.id, asOfNow(parts, port)] as const] : [])));
  const rowsByNumber = new Map(
    [...ports.values()].flatMap((port) => port.rows.map((row) => [`${port.id} ${row.number}`, row] as const)),
  );
  const errors: FieldError[] = [];
  const released = new Map<string, string>();
  for (const [index, { msisdn }] of rows.entries()) {
    const number = numbers[index] ?? '';
    const held = holders.get(number);
    if (held === undefined) continue;
    const holder = ports.get(held.portId);
    const conflict = holder && conflictOf(holder, rowsByNumber.get(`${holder.id} ${number}`), account, msisdn);
    if (conflict) errors.push({ ...conflict, field: `rows[${index}].msisdn` });
    // A young claim without a port is another request in the middle of its work: the store refuses that one.
    else if (holder || held.isOld) released.set(number, held.portId);
  }
  return { errors, released };
}

/** Type-A networks keep the provisioning orders that a port names for the first time. */
async function keepNewOrders({ store }: ServiceParts, port: Port, network: Network): Promise<void> {
  if (network.type === 'B') return;
  const names = new Set(port.rows.map((row) => (row.provisioningOrder === null ? row.provisioningOrderName : null)));
  const { accountId } = port;
  for (const name of names) {
    if (name === null) continue;
    const number = orderNumber(accountId, network.number, name);
    await store.addProvisioningOrder({ accountId, networkNumber: network.number, number, name });
  }
}

/** Create Port: every finding of the request in one answer, or the id of a port that is kept. */
export async function createPort(parts: ServiceParts, account: Account, body: CreatePortBody): Promise<string> {
  const now = parts.clock();
  const { booking, errors } = judgeBooking(body, account, parts.catalogue, now);
  if (booking === null) throw problemOf(errors);
  const orders = await ordersOf(parts, account, booking.network);
  const claims = await judgeClaims(parts, account, body.rows);
  const findings = [
    ...errors,
    ...judgeRows(body.rows, booking, parts.catalogue, new Set(orders.map(({ number }) => number))),
    ...claims.errors,
  ];
  if (findings.length > 0) throw problemOf(findings);

  const port = newPort(body, booking, parts.random.uuid, now);
  const simEvents = eventsOfNewPort(port, booking.network);
  const taken = await parts.store.insertPort({ port, simEvents, released: claims.released });
  if (taken.length > 0) {
    const message = (number: string) => `MSISDN ${number} is already in a port that is not finished.`;
    throw problemOf(taken.map((number) => ({ field: 'rows', message: message(number), conflict: true })));
  }
  await keepNewOrders(parts, port, booking.network);
  return port.id;
}

/** Reads, changes and keeps a port, again from the start where another request was faster. */
export async function changePort(
  parts: ServiceParts,
  account: Account,
  portId: string,
  change: (port: Port, now: number) => Port,
): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const port = await readPort(parts, account, portId);
    const changed = change(port, parts.clock());
    if (changed === port || (await parts.store.savePort({ ...changed, version: port.version + 1 }))) return;
  }
  throw new Problem(409, `Port ${portId} is being changed by other requests. Try again.`);
}

/** Cancel Port. @throws Problem 409 from Locked on, or where the port is cancelled already */
export const cancel = (parts: ServiceParts, account: Account, portId: string): Promise<void> =>
  changePort(parts, account, portId, (port, now) => {
    const cancelled = cancelPort(port, now);
    if (cancelled === null) throw new Problem(409, `A port in status ${port.status} can no longer be cancelled.`);
    return cancelled;
  });

type RowChange = UpdatePortBody['Rows'][number];

function judgeChange(change: RowChange, row: Row | undefined, port: Port): { place: string; error: string } | null {
  const to: RowStatus = change.PortRowStatus;
  if (row === undefined) return { place: 'Msisdn', error: `${change.Msisdn} is not in this port` };
  if (to === 'Amended' && !change.Pac) return { place: 'Pac', error: 'is required when a row is amended' };
  if (to === 'CancellationRequested' && change.Pac)
    return { place: 'Pac', error: 'must be omitted when a row is cancelled' };
  if (canUpdateRow(row, port, to)) return null;
  return { place: 'PortRowStatus', error: `a row in status ${row.status} cannot become ${to}` };
}

const namedTwice = { place: 'Msisdn', error: 'is named twice' };

function updateRows(port: Port, changes: readonly RowChange[], account: Account, now: number): Port {
  const rowByNumber = new Map(port.rows.map((row) => [row.number, row]));
  const errors: FieldError[] = [];
  const changed = new Map<string, Row>();
  for (const [index, change] of changes.entries()) {
    const row = rowByNumber.get(numberKey(change.Msisdn, account.callingCode) ?? '');
    const wrong = row && changed.has(row.id) ? namedTwice : judgeChange(change, row, port);
    if (wrong) {
      const conflict = wrong.place === 'PortRowStatus';
      errors.push({ field: `Rows[${index}].${wrong.place}`, message: wrong.error, conflict });
    } else if (row) {
      const pac = change.PortRowStatus === 'Amended' ? (change.Pac ?? null) : row.pac;
      changed.set(row.id, { ...row, pac, status: change.PortRowStatus, since: now, message: null });
    }
  }
  if (errors.length > 0) throw problemOf(errors);
  const rows = port.rows.map((row) => changed.get(row.id) ?? row);
  if (rows.every(({ status }) => status === 'Cancelled' || status === 'CancellationRequested')) {
    throw problemOf([{ field: 'Rows', message: 'To cancel every line, use Cancel Port.' }]);
  }
  return { ...port, rows };
}

/** Update Port: all of its rows, or none. @throws Problem 409, 422 */
export const update = (parts: ServiceParts, account: Account, portId: string, body: UpdatePortBody): Promise<void> =>
  changePort(parts, account, portId, (port, now) => updateRows(port, body.Rows, account, now));
