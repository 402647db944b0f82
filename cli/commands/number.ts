// simporter number MSISDN: what happened to a number.
import { problemOutcomes } from '#shared/outcome/outcome.ts';
import type { NumberDetails } from '#shared/results/answers.ts';
import { readNumberDetails } from '#shared/results/numbers.ts';
import { parseMsisdn } from '#shared/row/msisdn.ts';
import { notFoundError, usageError } from '../context/cli-error.ts';
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { printJson } from '../output/json.ts';
import { formatPairs, formatTable, type TableColumn } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { formatInstant, wrap } from '../output/text.ts';
import type { Target } from '../target/target.ts';
import { formatHistory } from '../views/port-history.ts';

export const configure: ConfigureCommand = (command, { onTarget }) =>
  command.argument('<msisdn>', 'in any notation: 07700 900123, +447700900123').action(
    onTarget<[string]>(async (session, text) => {
      const { target, json, terminal } = session;
      const details = await readDetails(target, text);
      if (json) await printJson(session, details);
      else await terminal.lines(describeNumber(details, terminal));
      return problemOutcomes.includes(details.outcome) ? exitCodes.actionRequired : exitCodes.done;
    }),
  );

async function readDetails(target: Target, text: string): Promise<NumberDetails> {
  const parsed = parseMsisdn(text, { callingCode: target.resources.callingCode });
  if (!parsed.ok) throw usageError(`"${text}" is not a number: ${parsed.finding.message}.`);
  const details = await readNumberDetails(target, parsed.value);
  if (details !== undefined) return details;
  throw notFoundError(
    `No import has ported +${parsed.value}.`,
    `Rejected rows, and operations other than create-port, port no number. To see the rejected rows: ${nextCommand('rejected', 'IMPORT')}`,
  );
}

const earlierColumns: readonly TableColumn[] = [
  { header: 'earlier import' },
  { header: 'line' },
  { header: 'claimed (UTC)' },
];

function describeNumber(number: NumberDetails, { width, paint }: Terminal): string[] {
  const { portId, portStatus, importId, request, requestState, file, line, submittedAt } = number;
  const pairs = formatPairs(
    [
      ['number', `+${number.number}`],
      ['outcome', number.outcome],
      ['status', number.status ?? undefined],
      ['message', number.message ?? undefined],
      ['what to do', number.whatToDo ?? undefined],
      ['port', portId === null ? undefined : `${portId} (${portStatus ?? 'not read yet'})`],
      ['request', `${request} of import ${importId} (${requestState ?? 'not recorded'})`],
      ['file', `${file ?? 'unknown'}, line ${line}`],
      ['submitted', submittedAt === null ? undefined : `${formatInstant(submittedAt)} UTC`],
    ],
    { width, paint },
  );
  const earlier = number.earlierImports.map((one) => [one.importId, String(one.line), formatInstant(one.claimedAt)]);
  const earlierLines = earlier.length === 0 ? [] : ['', ...formatTable(earlierColumns, earlier, { width, paint })];
  const later = number.laterImports.flatMap((one) =>
    wrap(`Not sent again: ${one.outcome} in import ${one.importId}, line ${one.line}. ${one.message}`, width),
  );
  const laterLines = later.length === 0 ? [] : ['', ...later];
  return [...pairs, ...formatHistory(number.history, { width, paint }), ...earlierLines, ...laterLines];
}
