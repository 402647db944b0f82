// simporter actions: every action that is required, and how to do it. simporter resolve IMPORT/REQUEST: resolves a
// request with an unknown outcome, or with several ports.

import { Option } from 'commander';
import { operationNamed } from '#shared/operations/registry.ts';
import type { Resolution, ResolveAnswer } from '#shared/request/messages.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { readActionList } from '#shared/results/actions.ts';
import { readInterruptions } from '#shared/results/progress.ts';
import { CliError, notFoundError, usageError } from '../context/cli-error.ts';
import { type ConfigureCommand, type ExitCode, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { findImport } from '../imports/find-import.ts';
import { becauseOption, parseCount, readActor } from '../options/common-options.ts';
import { printJson } from '../output/json.ts';
import type { Session } from '../target/target.ts';
import { whenIdle } from '../target/with-target.ts';
import { formatActions, formatRemaining, printSkipped, toActionJson } from '../views/actions-view.ts';
import { printInterruptions } from '../views/import-view.ts';

const shownNumbers = 50;
/** Entries of each kind; `--json` answers all. */
const shownEntries = 200;

export const configureActions: ConfigureCommand = (command, { onTarget }) => command.action(onTarget(showActions));

async function showActions(session: Session): Promise<ExitCode> {
  const { target, clock, json, terminal } = session;
  const list = await readActionList(target, clock(), json ? undefined : shownEntries);
  const interruptions = await readInterruptions(target);
  const isInterrupted = Object.keys(interruptions).length > 0;
  const { entries } = list;
  if (json) {
    await printJson(session, {
      actionRequired: entries.map(toActionJson),
      ...(list.isIncomplete && { incomplete: true }),
      ...interruptions,
    });
  } else {
    printInterruptions(interruptions, terminal);
    printSkipped(list, terminal);
    if (entries.length === 0 && !isInterrupted) terminal.note('No action is required.');
    else await terminal.lines([...formatActions(entries, terminal, shownNumbers), ...formatRemaining(list)]);
  }
  return entries.length > 0 || isInterrupted ? exitCodes.actionRequired : exitCodes.done;
}

interface ResolveOptions {
  readonly adopt?: string;
  readonly resend?: boolean;
  readonly abandon?: boolean;
  readonly keep?: string;
  readonly yes?: boolean;
  readonly because?: string;
}

export const configureResolve: ConfigureCommand = (command, { onTarget }) =>
  command
    .argument('<request>', 'IMPORT/NUMBER, as actions names it')
    .addOption(
      new Option('--adopt <port>', 'the request created this port').conflicts(['resend', 'abandon', 'keep', 'yes']),
    )
    .addOption(
      new Option('--resend', 'the service does not have it: send it again (needs --yes)').conflicts([
        'abandon',
        'keep',
      ]),
    )
    .option('--abandon', 'send nothing more, and release its numbers for another import')
    .addOption(new Option('--keep <port>', 'keep this one of several ports').conflicts('abandon'))
    .option('--yes', 'with --resend: you have checked the portal; with --keep: cancel the other ports')
    .option(...becauseOption)
    .action(
      onTarget<[string, ResolveOptions]>(async (session, text, options) => {
        const item = await findRequest(session, text);
        const { importId, request } = item;
        const resolution = {
          importId,
          request,
          what: readResolution(item, options),
          ...readActor(session, options.because),
        };
        const answer = await resolve(session, resolution);
        await printResolved(session, resolution, answer);
        return answer.waitsFor === undefined ? exitCodes.done : exitCodes.actionRequired;
      }),
    );

async function findRequest(session: Session, text: string): Promise<RequestItem> {
  const slash = text.lastIndexOf('/');
  if (slash < 1)
    throw usageError(`"${text}" is not IMPORT/REQUEST.`, `To list the requests: ${nextCommand('actions')}`);
  const number = parseCount('request', text.slice(slash + 1));
  const { importId } = await findImport(session, text.slice(0, slash));
  const item = await session.target.requests.get(importId, number);
  if (item !== undefined) return item;
  throw notFoundError(
    `Import ${importId} has no request ${number}.`,
    `To list the requests: ${nextCommand('actions')}`,
  );
}

function readResolution(item: RequestItem, options: ResolveOptions): Resolution['what'] {
  const { adopt, resend, abandon, keep, yes = false } = options;
  if (adopt !== undefined) return { kind: 'adopt', portId: adopt };
  if (keep !== undefined) return { kind: 'keep', portId: keep, cancelOthers: yes };
  if (abandon) return { kind: 'abandon' };
  if (resend && yes) return { kind: 'resend', yes };
  const command = (...options: string[]) => nextCommand('resolve', `${item.importId}/${item.request}`, ...options);
  if (resend) throw usageError(resendWarning(item), `If you are sure: ${command('--resend', '--yes')}`);
  throw usageError(
    `Search for ${item.token} in the portal, then choose how to resolve the request.`,
    `Give --adopt PORT, --resend --yes, --abandon, or --keep PORT if it has several ports. For example: ${command('--abandon')}`,
  );
}

const resendWarning = ({ operation }: RequestItem): string =>
  operationNamed(operation)?.submission.makes === 'ticket'
    ? `The service cannot show whether it has received this ${operation}: sent again, it may be done twice.`
    : 'simporter searches the service again before it sends, but only by the name of the request.';

type Resolved = Extract<ResolveAnswer, { readonly resolved: true }>;

async function resolve(session: Session, resolution: Resolution): Promise<Resolved> {
  const answer = await whenIdle(session, () => session.target.resolve(resolution));
  if (answer.resolved) return answer;
  throw new CliError(`Nothing was changed: ${answer.why}.`, { advice: `${answer.advice}.` });
}

async function printResolved(
  session: Session,
  { importId, request, what }: Resolution,
  { state, portId, waitsFor: cancelling }: Resolved,
): Promise<void> {
  const { json, terminal } = session;
  if (json) {
    const answer = { importId, request, resolution: what.kind, state, portId, ...(cancelling && { cancelling }) };
    return printJson(session, answer);
  }
  const messages = {
    adopt: `Port ${portId} is adopted, and its progress is tracked.`,
    resend:
      state === 'unknown'
        ? 'The service lists no port at all, which may be a fault: sync searches three more times, then sends it again.'
        : 'The request will be sent again.',
    abandon: 'The request is abandoned: its numbers are free for another import.',
    keep:
      cancelling === undefined
        ? `Port ${portId} is kept, and no other port of the request is in progress.`
        : `Port ${portId} is kept. The service is cancelling ${cancelling.join(', ')}: then run this command again.`,
  };
  terminal.note(`${messages[what.kind]} To follow it: ${nextCommand('status', importId)}`);
}
