// Bar and Unbar, the legacy calls that block what a SIM may do. The service will remove them (spec, Versioning), so
// every row gets a warning that names the replacement (spec gap 41).
import * as z from 'zod/mini';
import type { OperationName } from '#shared/domain/imports/operation-name.ts';
import { type BarFlag, barFlags } from '#shared/porting/submission-contract.ts';
import { warning } from '#shared/row/issue.ts';
import type { CellReader } from './columns/cell-reader.ts';
import { checkOptions, type Options, serialNumbersOf, ticketSubmission } from './columns/sim-row.ts';
import { referenceColumn, repeatingColumn } from './kit/column.ts';
import { serialNumberColumn } from './kit/sim-row.ts';
import type { Operation } from './operation.ts';

const flagsHead = z.partialRecord(z.enum(barFlags), z.boolean());
type FlagsHead = z.infer<typeof flagsHead>;

const flagMeanings: Readonly<Record<BarFlag, string>> = {
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

/** The operation sets `type` on both levels of the body; no column can set it (spec gap 39). */
const barOperation = (name: OperationName & ('bar' | 'unbar'), verb: string): Operation => ({
  name,
  columns: [
    serialNumberColumn,
    ...barFlags.map((flag) =>
      repeatingColumn(flag, {
        onlyServiceChecks: true,
        help: `Whether to ${name} ${flagMeanings[flag]}. Empty means no.`,
        example: 'true',
      }),
    ),
    referenceColumn,
  ],
  checkShape: checkOptions(async (cells) => chooseFlags(verb, cells)),
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

function chooseFlags(verb: string, cells: CellReader): Options<FlagsHead> | undefined {
  const given = barFlags.map((flag) => [flag, cells.boolean(flag)] as const);
  const chosen = given.flatMap(([flag, value]) => (value === true ? flag : []));
  // A flag that cannot be read is reported already.
  if (chosen.length === 0) {
    if (cells.hasErrors) return undefined;
    const message = `The row sets nothing to ${verb.toLowerCase()}. Write true for one of ${barFlags.join(', ')}`;
    return cells.error(null, 'BAR_NONE_CHOSEN', message);
  }
  const message = `${verb} is a legacy call that the service will remove. Use bar-service-config instead`;
  cells.report(null, warning('OPERATION_LEGACY', message));
  return {
    head: Object.fromEntries(given.filter(([, value]) => value !== undefined)) as FlagsHead,
    label: `${verb} ${chosen.join(', ')}`,
  };
}
