// The use cases of the porting routes: a port is read as it is now, changed, and stored.
import type { CreatePortBody, UpdatePortBody } from '#shared/service/contract.ts';
import type { Account } from '../catalogue/catalogue.ts';
import type { Choices } from '../choices.ts';
import type { Dependencies } from '../dependencies.ts';
import { type FieldError, Problem, problemOf, tryAgain } from '../http/problem.ts';
import { eventsOfNewPort, keepNewOrders, ordersOf, readSims } from '../sims/sims.ts';
import { cancelPort, canUpdateRow } from './advance-port.ts';
import { checkNumberOwners } from './number-owners.ts';
import type { Port, Row, RowStatus } from './port.ts';
import { numberKey } from './port.ts';
import { readPort } from './read-ports.ts';
import { newPort, validateBooking, validateRows } from './validate-port.ts';

const numbersOf = (account: Account, rows: CreatePortBody['rows']): { msisdn: string; number: string | null }[] =>
  rows.map(({ msisdn }) => ({ msisdn, number: numberKey(msisdn, account.callingCode) }));

/** Create Port: every finding of the request in one response, or the id of the new port. */
export function createPort(dependencies: Dependencies, account: Account, body: CreatePortBody): Promise<string> {
  const create = () => createOnePort(dependencies, account, body);
  // Two parallel ports must not both find a SIM unused.
  return dependencies.choices.strict === 'on' ? dependencies.serialise('strict ports', create) : create();
}

async function createOnePort(dependencies: Dependencies, account: Account, body: CreatePortBody): Promise<string> {
  const { store, random, catalogue } = dependencies;
  const now = dependencies.timeOf(account.accountId);
  const { booking, errors } = validateBooking(body, account, catalogue, now);
  if (booking === null) throw problemOf(errors);
  const orders = await ordersOf(dependencies, account, booking.network);
  const owners = await checkNumberOwners(dependencies, account, numbersOf(account, body.rows));
  const sims = await readSims(dependencies, serialsToCheck(dependencies, body));
  const rules = { booking, orders: new Set(orders.map(({ number }) => number)), sims };
  const findings = [
    ...errors,
    ...validateRows(body.rows, rules, dependencies),
    ...owners.conflicts.map(({ index, error }) => ({ ...error, field: `rows[${index}].msisdn` })),
  ];
  if (findings.length > 0) throw problemOf(findings);

  const port = newPort(body, booking, random.uuid, now);
  const simEvents = eventsOfNewPort(port, booking.network);
  const taken = await store.insertPort({ port, simEvents, released: owners.released });
  if (taken.length > 0) throw problemOf(taken.map((number) => ({ field: 'rows', ...inLivePort(number) })));
  const names = port.rows.map((row) => (row.provisioningOrder === null ? row.provisioningOrderName : null));
  await keepNewOrders(dependencies, port.accountId, booking.network, names);
  return port.id;
}

const inLivePort = (number: string) => ({
  message: `MSISDN ${number} is already in a port that is not finished.`,
  conflict: true,
});

/** Only two choices depend on the SIMs, and reading them costs a query for each. */
function serialsToCheck({ choices }: Dependencies, { rows }: CreatePortBody): string[] {
  if (choices.strict === 'off' && choices['unknown-serials'] === 'accept') return [];
  return [...new Set(rows.flatMap(({ serialNo }) => serialNo ?? []))];
}

const mostAttempts = 20;

/** Reads, changes and stores a port, again from the start if another process was faster. */
export function changePort(
  dependencies: Dependencies,
  account: Account,
  portId: string,
  change: (port: Port, now: number) => Port,
): Promise<void> {
  return dependencies.serialise(portId, async () => {
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const port = await readPort(dependencies, account, portId);
      const changed = change(port, dependencies.timeOf(account.accountId));
      const isStored =
        changed === port || (await dependencies.store.savePort({ ...changed, version: port.version + 1 }));
      if (isStored) return;
    }
    throw tryAgain(`Port ${portId} is being changed by other requests.`);
  });
}

function cancelled(port: Port, now: number, choices: Choices): Port {
  const isRepeated = port.cancelRequestedAt !== null && port.status === 'Submitted';
  const isError = port.status === 'SubmittedWithErrors' || port.status === 'Error';
  const isRejected =
    (isRepeated && choices['repeated-cancel'] === 'reject') || (isError && choices['cancel-in-error'] === 'reject');
  const changed = isRejected ? null : cancelPort(port, now);
  if (changed === null) throw new Problem(409, `A port in status ${port.status} can no longer be cancelled.`);
  return changed;
}

/** Cancel Port. @throws Problem 409 from Locked on, and for a port that is cancelled already */
export const cancel = (dependencies: Dependencies, account: Account, portId: string): Promise<void> =>
  changePort(dependencies, account, portId, (port, now) => cancelled(port, now, dependencies.choices));

type RowChange = UpdatePortBody['Rows'][number];

function checkChange(change: RowChange, row: Row | undefined, port: Port): { place: string; error: string } | null {
  const to: RowStatus = change.PortRowStatus;
  if (row === undefined) return { place: 'Msisdn', error: `${change.Msisdn} is not in this port` };
  if (to === 'Amended' && !change.Pac) return { place: 'Pac', error: 'is required when a row is amended' };
  if (to === 'CancellationRequested' && change.Pac) {
    return { place: 'Pac', error: 'must be omitted when a row is cancelled' };
  }
  if (canUpdateRow(row, port, to)) return null;
  return { place: 'PortRowStatus', error: `a row in status ${row.status} cannot become ${to}` };
}

const namedTwice = { place: 'Msisdn', error: 'is named twice' };

function changedRows(
  port: Port,
  changes: readonly RowChange[],
  account: Account,
  now: number,
): { readonly changed: ReadonlyMap<string, Row>; readonly errors: readonly FieldError[] } {
  const rowByNumber = new Map(port.rows.map((row) => [row.number, row]));
  const errors: FieldError[] = [];
  const changed = new Map<string, Row>();
  for (const [index, change] of changes.entries()) {
    const row = rowByNumber.get(numberKey(change.Msisdn, account.callingCode) ?? '');
    const wrong = row && changed.has(row.id) ? namedTwice : checkChange(change, row, port);
    if (wrong) {
      const conflict = wrong.place === 'PortRowStatus';
      errors.push({ field: `Rows[${index}].${wrong.place}`, message: wrong.error, conflict });
    } else if (row) {
      const pac = change.PortRowStatus === 'Amended' ? (change.Pac ?? null) : row.pac;
      changed.set(row.id, { ...row, pac, status: change.PortRowStatus, since: now, message: null });
    }
  }
  return { changed, errors };
}

const isLeaving = ({ status }: Row): boolean => status === 'Cancelled' || status === 'CancellationRequested';

/** Update Port: all of its rows, or none. @throws Problem 409, 422 */
export const update = (
  dependencies: Dependencies,
  account: Account,
  portId: string,
  body: UpdatePortBody,
): Promise<void> =>
  changePort(dependencies, account, portId, (port, now) => {
    const { choices } = dependencies;
    const { changed, errors } = changedRows(port, body.Rows, account, now);
    const isPartial = choices['partial-updates'] === 'accept' && changed.size > 0;
    if (errors.length > 0 && !isPartial) throw problemOf(errors);
    const rows = port.rows.map((row) => changed.get(row.id) ?? row);
    if (!rows.every(isLeaving)) return { ...port, rows };
    if (choices['cancel-all-rows'] === 'accept') return cancelled(port, now, choices);
    throw problemOf([{ field: 'Rows', message: 'To cancel every row, use Cancel Port.' }]);
  });
