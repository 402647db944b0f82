// The call that changes a port. It is decided on the port as it was just read, so nothing is requested that is done
// already: unlike a create, the call may be repeated (spec gaps 31 and 43).
import * as z from 'zod/mini';
import type { PlannedRequest } from '#shared/domain/imports/plan.ts';
import { type ChangeCommand, type PlannedChange, planChange } from '#shared/port/port-change.ts';
import type { ExcludedRow } from '#shared/request/request.ts';
import { error } from '#shared/row/issue.ts';
import { msisdnKey } from '#shared/row/msisdn.ts';
import type { PortingClient } from '#shared/service/client.ts';
import { type UpdatePortBody, updatePortRow } from '#shared/service/contract.ts';
import type { Revalidation, Submission, ValidationContext } from './operation.ts';

/** What all rows of one request share, as stored in the plan. */
export const changeHead = z.object({
  portId: z.string(),
  action: z.enum(['amend', 'cancel']),
  /** The port was named without its numbers. */
  whole: z.boolean(),
});
export type ChangeHead = z.infer<typeof changeHead>;

const changeRow = z.object({ pac: z.nullable(z.string()) });
type Rows = UpdatePortBody['Rows'];

/** After revalidation the head names the call, and each row has its part of the body; null for a row without a call. */
const callHead = z.object({ portId: z.string(), call: z.enum(['amend', 'cancel-rows', 'cancel-port', 'nothing']) });
const callRow = z.nullable(updatePortRow);

type Call = (client: PortingClient, portId: string, rows: Rows) => Promise<void>;

const updateRows: Call = (client, portId, Rows) => client.updatePort(portId, { Rows });
const calls: Readonly<Record<PlannedChange['call'], { readonly make: Call; readonly note: string }>> = {
  amend: { make: updateRows, note: 'The new PAC is set' },
  'cancel-rows': { make: updateRows, note: 'Cancelled. The other rows of the port continue' },
  'cancel-port': { make: (client, portId) => client.cancelPort(portId), note: 'Cancelled with the whole port' },
  nothing: { make: async () => {}, note: 'The service had this change already, so nothing was sent' },
};

export const changeSubmission: Submission = {
  makes: 'change',
  claims: false,
  // A decline is about the port. Rows that take no change are skipped before the call.
  splitsWhenDeclined: false,
  revalidate,
  call,
  madeAlready,
};

async function madeAlready(request: PlannedRequest, context: ValidationContext): Promise<string | undefined> {
  const now = await revalidate(request, context);
  if ('rejection' in now || (now.excludedRows ?? []).length > 0) return undefined;
  const { portId, call: left } = callHead.parse(now.send.head);
  return left === 'nothing' ? portId : undefined;
}

async function call(client: PortingClient, request: PlannedRequest): Promise<string> {
  const { portId, call: name } = callHead.parse(request.head);
  const rows = request.rows.flatMap(({ wire }) => callRow.parse(wire) ?? []);
  await calls[name].make(client, portId, rows);
  return portId;
}

async function revalidate(request: PlannedRequest, { catalogue, settings }: ValidationContext): Promise<Revalidation> {
  const head = changeHead.parse(request.head);
  const port = await catalogue.port(head.portId, 'fresh');
  if (port === undefined) {
    return { rejection: error('PORT_UNKNOWN', `The service does not know port ${head.portId}`) };
  }
  const portRows = new Map(port.rows.map((row) => [msisdnKey(row.msisdn, settings.callingCode), row]));
  const change = planChange(commandOf(head, request), { statusName: port.statusName, rows: portRows });
  if (change.rejection !== undefined) return { rejection: error('PORT_NOT_CHANGEABLE', change.rejection) };
  const rows = request.rows
    .filter(({ subject }) => !change.rejected.has(subject))
    .map((row) => {
      const written = portRows.get(row.subject)?.msisdn ?? row.subject;
      return { ...row, wire: change.numbers.has(row.subject) ? bodyRow(written, row) : null };
    });
  return {
    send: { ...request, head: { portId: head.portId, call: change.call }, rows },
    note: calls[change.call].note,
    excludedRows: excludedRowsOf(request, change),
  };
}

const commandOf = ({ action, whole }: ChangeHead, { rows }: PlannedRequest): ChangeCommand => ({
  action,
  whole,
  pacs: new Map(whole ? [] : rows.map(({ subject, wire }) => [subject, changeRow.parse(wire).pac] as const)),
});

/** `Msisdn` exactly as Port Detail shows it, and no PAC where the row is cancelled (spec gap 31). */
function bodyRow(Msisdn: string, { wire }: PlannedRequest['rows'][number]): Rows[number] {
  const { pac } = changeRow.parse(wire);
  return pac === null
    ? { Msisdn, PortRowStatus: 'CancellationRequested' }
    : { Msisdn, Pac: pac, PortRowStatus: 'Amended' };
}

const excludedRowsOf = ({ rows }: PlannedRequest, { rejected }: PlannedChange): ExcludedRow[] =>
  rows.flatMap(({ line, subject }) => {
    const message = rejected.get(subject);
    return message === undefined ? [] : { line, subject, code: 'LINE_NOT_CHANGEABLE', message };
  });
