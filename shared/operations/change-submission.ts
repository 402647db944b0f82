// The call that changes a port: decided against the port as it is just before, so that what is done already is not asked
// for again. Unlike a create it may therefore be repeated (decisions 31 and 43).
import * as z from 'zod/mini';
import { error } from '#shared/domain/issue.ts';
import type { WithdrawnRow } from '#shared/domain/ledger.ts';
import type { PlannedRequest } from '#shared/domain/plan.ts';
import { type ChangeDecision, decideChange } from '#shared/domain/port-change.ts';
import { msisdnKey } from '#shared/domain/port-look.ts';
import type { PortingClient } from '#shared/porting/client.ts';
import type { PortDetail, UpdatePortBody } from '#shared/porting/contract.ts';
import type { JudgeContext, Rechecked, Submission } from './operation.ts';

/** What all lines of one request share, as it stands in the plan. */
export const changeHead = z.object({
  portId: z.string(),
  action: z.enum(['amend', 'cancel']),
  /** The port was named without its numbers. */
  whole: z.boolean(),
});
export type ChangeHead = z.infer<typeof changeHead>;

const changeRow = z.object({ pac: z.nullable(z.string()) });
type Rows = UpdatePortBody['Rows'];

/** What recheck decided, in the place of the head. */
const decided = z.object({ portId: z.string(), call: z.enum(['amend', 'cancel-lines', 'cancel-port', 'nothing']) });

const calls: Readonly<
  Record<ChangeDecision['call'], (client: PortingClient, portId: string, rows: Rows) => Promise<void>>
> = {
  amend: (client, portId, Rows) => client.updatePort(portId, { Rows }),
  'cancel-lines': (client, portId, Rows) => client.updatePort(portId, { Rows }),
  'cancel-port': (client, portId) => client.cancelPort(portId),
  nothing: async () => {},
};

const notes: Readonly<Record<ChangeDecision['call'], string>> = {
  amend: 'given its new PAC',
  'cancel-lines': 'cancelled; the port goes on with its other lines',
  'cancel-port': 'cancelled with its whole port',
  nothing: 'the service had it already: nothing was sent',
};

export const changeSubmission: Submission = { makes: 'change', claims: false, recheck, call };

async function call(client: PortingClient, request: PlannedRequest): Promise<string> {
  const { portId, call: name } = decided.parse(request.head);
  const rows = request.rows.flatMap(({ wire }) => wireRow.parse(wire) ?? []);
  await calls[name](client, portId, rows);
  return portId;
}

/** A row's part of the body; null for a line that needs no call. */
const wireRow = z.nullable(
  z.object({
    Msisdn: z.string(),
    Pac: z.optional(z.string()),
    PortRowStatus: z.enum(['Amended', 'CancellationRequested']),
  }),
);

async function recheck(request: PlannedRequest, { catalogue, settings }: JudgeContext): Promise<Rechecked> {
  const head = changeHead.parse(request.head);
  const port = await catalogue.port(head.portId, 'fresh');
  if (port === undefined) return { refuse: error('PORT_UNKNOWN', `the service knows no port ${head.portId}`) };
  const written = new Map(port.rows.map((row) => [msisdnKey(row.msisdn, settings.callingCode), row.msisdn]));
  const decision = decideChange(wishOf(head, request), readingOf(port, settings.callingCode));
  if (decision.refusal !== undefined) return { refuse: error('PORT_NOT_CHANGEABLE', decision.refusal) };
  const rows = request.rows
    .filter(({ subject }) => !decision.never.has(subject))
    .map((row) => ({ ...row, wire: decision.due.has(row.subject) ? bodyRow(row, written) : null }));
  return {
    send: { ...request, head: { portId: head.portId, call: decision.call }, rows },
    note: notes[decision.call],
    withdrawn: withdrawnOf(request, decision),
  };
}

const wishOf = ({ action, whole }: ChangeHead, { rows }: PlannedRequest) => ({
  action,
  whole,
  lines: new Map(whole ? [] : rows.map(({ subject, wire }) => [subject, changeRow.parse(wire).pac] as const)),
});

const readingOf = ({ statusName, rows }: PortDetail, callingCode: string) => ({
  statusName,
  lines: new Map(rows.map((row) => [msisdnKey(row.msisdn, callingCode), row] as const)),
});

/** The number exactly as Port Detail shows it, and no PAC where the line is cancelled (decision 31). */
function bodyRow(
  { subject, wire }: PlannedRequest['rows'][number],
  written: ReadonlyMap<string, string>,
): Rows[number] {
  const { pac } = changeRow.parse(wire);
  const Msisdn = written.get(subject) ?? subject;
  return pac === null
    ? { Msisdn, PortRowStatus: 'CancellationRequested' }
    : { Msisdn, Pac: pac, PortRowStatus: 'Amended' };
}

const withdrawnOf = ({ rows }: PlannedRequest, { never }: ChangeDecision): WithdrawnRow[] =>
  rows.flatMap(({ line, subject }) => {
    const message = never.get(subject);
    return message === undefined ? [] : { line, subject, code: 'LINE_NOT_CHANGEABLE', message };
  });
