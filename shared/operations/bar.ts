// Bar and Unbar: the legacy way to block what a SIM may do. The service will take them away (spec, Versioning), so they
// work as they are described, and say each time what replaces them (decision 41).
import * as z from 'zod/mini';
import { error, warning } from '#shared/domain/issue.ts';
import type { OperationName } from '#shared/domain/operation-name.ts';
import { type BarFlag, barFlags } from '#shared/porting/contract.ts';
import { column, referenceColumn } from './column.ts';
import type { Cells, Operation } from './operation.ts';
import type { ShapeReport } from './shape-report.ts';
import { serialNumberColumn } from './sim-row.ts';
import { judgeOptions, type Options, serialNumbersOf, ticketSubmission } from './ticket.ts';
import { booleanCell } from './typed-cells.ts';

const flagsHead = z.partialRecord(z.enum(barFlags), z.boolean());
type FlagsHead = z.infer<typeof flagsHead>;

const what: Readonly<Record<BarFlag, string>> = {
  admin: 'everything, by the administrator',
  gprs: 'data',
  gprsRoaming: 'data abroad',
  international: 'international calls',
  outgoing: 'outgoing calls',
  mms: 'picture messages',
  premium: 'premium rate calls',
  smsIncoming: 'incoming texts',
  smsOutgoing: 'outgoing texts',
  smsPremium: 'premium rate texts',
  voiceRoaming: 'calls abroad',
};

/** `type` of both levels of the body is the operation's; no column can set it (decision 39). */
const barOperation = (name: OperationName & ('bar' | 'unbar'), verb: string): Operation => ({
  name,
  columns: [
    serialNumberColumn,
    ...barFlags.map((flag) =>
      column(flag, { repeats: true, help: `Whether to ${name} ${what[flag]}; empty means no.`, example: 'true' }),
    ),
    referenceColumn,
  ],
  judgeShape: judgeOptions((cells, _context, report) => chooseFlags(cells, verb, report)),
  submission: ticketSubmission({
    path: '/api/simSubmission',
    head: flagsHead,
    bodyOf: (flags, request) => ({
      type: name,
      commands: [
        { serialNumbers: serialNumbersOf(request), commandOptions: { type: `vendor-detailed-${name}`, ...flags } },
      ],
    }),
  }),
});

export const bar = barOperation('bar', 'Bar');
export const unbar = barOperation('unbar', 'Unbar');

async function chooseFlags(cells: Cells, verb: string, report: ShapeReport): Promise<Options<FlagsHead> | undefined> {
  const given = barFlags.map((flag) => [flag, booleanCell(cells, flag, report)] as const);
  const chosen = given.flatMap(([flag, value]) => (value === true ? flag : []));
  if (chosen.length === 0) {
    const names = barFlags.join(', ');
    report.add(
      null,
      error('BAR_NONE_CHOSEN', `the row does not say what to ${verb.toLowerCase()}: set one of ${names}`),
    );
    return undefined;
  }
  const message = `${verb} is a legacy call that will be taken away: bar-service-config does the same`;
  report.add(null, warning('OPERATION_LEGACY', message));
  return {
    head: Object.fromEntries(given.filter(([, value]) => value !== undefined)) as FlagsHead,
    label: `${verb} ${chosen.join(', ')}`,
  };
}
