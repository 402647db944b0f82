// simporter number MSISDN: what happened to this number?
import { Command } from 'commander';
import type { NumberItem, PortEvent, PortItem, PortRowState, RequestItem } from '#shared/domain/ledger.ts';
import { parseMsisdn } from '#shared/domain/msisdn.ts';
import { holdersOf, type LineResult, refusedResult, rowResult } from '#shared/domain/outcome.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { Failure, usageFailure } from '../failure.ts';
import { fileNameOf } from '../find-import.ts';
import { hint } from '../hint.ts';
import type { NumberJson } from '../json-shapes.ts';
import { printJson } from '../output/json.ts';
import { formatPairs, formatTable } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { instantText } from '../show-import.ts';
import { type Target, withTarget } from '../target.ts';

export const numberCommand = ({ action }: CommandContext): Command =>
  new Command('number')
    .description('Show what happened to a number.')
    .argument('<msisdn>', 'in any spelling: 07700 900123, +447700900123')
    .action(
      action<[string]>((session, given) =>
        withTarget(session, async (target) => {
          const told = numberJsonOf(await readStory(target, given));
          if (session.json) await printJson(session.terminal, told);
          else await session.terminal.lines(describeNumber(told, session.terminal));
          return troubled.includes(told.outcome) ? exitCodes.attention : exitCodes.done;
        }),
      ),
    );

/** A number's claim and all that it leads to. */
interface NumberStory {
  readonly claim: NumberItem;
  readonly former: readonly NumberItem[];
  readonly file: string | undefined;
  readonly request: RequestItem | undefined;
  readonly port: PortItem | undefined;
  readonly rows: readonly PortRowState[];
  readonly events: readonly PortEvent[];
}

async function readStory(target: Target, given: string): Promise<NumberStory> {
  const parsed = parseMsisdn(given, { callingCode: target.resources.callingCode });
  if (!parsed.ok) throw usageFailure(`"${given}" is no number: ${parsed.finding.message}.`);
  const claim = await target.numbers.get(parsed.value);
  if (claim === undefined) {
    throw new Failure(`No import has sent +${parsed.value}.`, {
      advice: `A row that was rejected never gets so far: ${hint('rejected IMPORT')}`,
    });
  }
  const [former, item, request] = await Promise.all([
    target.numbers.history(claim.number),
    target.imports.get(claim.importId),
    target.requests.get(claim.importId, claim.request),
  ]);
  const file = item === undefined ? undefined : fileNameOf(item.key);
  const portId = request?.portId;
  if (portId === undefined) return { claim, former, file, request, port: undefined, rows: [], events: [] };
  const [port, rows, events] = await Promise.all([
    target.ports.get(portId),
    target.ports.rows(portId),
    target.ports.events(portId),
  ]);
  return { claim, former, file, request, port, rows: rows ?? [], events };
}

/** The same words as in results.csv. */
function resultOf({ claim, request, rows }: NumberStory): LineResult | undefined {
  if (request === undefined) return undefined;
  const row = rows.find(({ msisdn }) => msisdn === claim.number);
  return row === undefined ? refusedResult(request, claim.line) : rowResult(request, row, holdersOf(request, rows));
}

const troubled: readonly string[] = ['refused', 'withdrawn', 'unknown', 'attention'];

function numberJsonOf(story: NumberStory): NumberJson {
  const { claim, former, file, request, port, events } = story;
  const result = resultOf(story);
  return {
    number: claim.number,
    outcome: result?.outcome ?? 'waiting',
    status: result?.status || null,
    message: result?.message || null,
    whatToDo: result?.whatToDo || null,
    importId: claim.importId,
    file: file ?? null,
    line: claim.line,
    request: claim.request,
    requestState: request?.state ?? null,
    portId: port?.portId ?? request?.portId ?? null,
    portStatus: port?.status ?? request?.portStatus ?? null,
    claimedAt: claim.claimedAt,
    history: events.map(({ at, status, was }) => ({ at, status, ...(was === undefined ? {} : { was }) })),
    formerImports: former.map(({ importId, line, claimedAt }) => ({ importId, line, claimedAt })),
  };
}

function describeNumber(told: NumberJson, { width, paint }: Terminal): string[] {
  const look = { width, paint };
  const pairs = formatPairs(
    [
      ['number', `+${told.number}`],
      ['outcome', told.outcome],
      ['status', told.status ?? undefined],
      ['message', told.message ?? undefined],
      ['what to do', told.whatToDo ?? undefined],
      ['port', told.portId === null ? undefined : `${told.portId} (${told.portStatus ?? 'not looked at yet'})`],
      ['request', `${told.request} of import ${told.importId} (${told.requestState ?? 'not recorded'})`],
      ['file', `${told.file ?? 'unknown'}, line ${told.line}`],
      ['claimed', `${instantText(told.claimedAt)} UTC`],
    ],
    look,
  );
  const history = told.history.map(({ at, was, status }) => [instantText(at), was ?? '', status]);
  const former = told.formerImports.map(({ importId, line, claimedAt }) => [
    importId,
    String(line),
    instantText(claimedAt),
  ]);
  return [
    ...pairs,
    ...(history.length > 0
      ? ['', ...formatTable([{ header: 'when (UTC)' }, { header: 'was' }, { header: 'became' }], history, look)]
      : []),
    ...(former.length > 0
      ? [
          '',
          ...formatTable([{ header: 'earlier import' }, { header: 'line' }, { header: 'claimed (UTC)' }], former, look),
        ]
      : []),
  ];
}
