// simporter resolve IMPORT/REQUEST: resolves a request with an unknown outcome, or with several ports.
import { Option } from 'commander';
import { operationNamed } from '#shared/operations/registry.ts';
import type { Resolution, ResolveAnswer } from '#shared/request/messages.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { CliError, notFoundError, usageError } from '../context/cli-error.ts';
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { findImport } from '../imports/find-import.ts';
import { becauseOption, parseCount, readActor } from '../options/common-options.ts';
import { printJson } from '../output/json.ts';
import type { Session } from '../target/target.ts';
import { whenIdle } from '../target/when-idle.ts';

interface ResolveOptions {
  readonly adopt?: string;
  readonly resend?: boolean;
  readonly abandon?: boolean;
  readonly keep?: string;
  readonly yes?: boolean;
  readonly because?: string;
}

export const configure: ConfigureCommand = (command, { onTarget }) =>
  command
    .argument('<request>', 'IMPORT/NUMBER, as actions names it')
    .addOption(
      new Option('--adopt <port>', 'the request created this port').conflicts(['resend', 'abandon', 'keep', 'yes']),
    )
    .addOption(
      new Option('--resend', 'the service does not have it: send it (with --yes)').conflicts(['abandon', 'keep']),
    )
    .option('--abandon', 'send nothing more, and release its numbers for another import')
    .addOption(new Option('--keep <port>', 'of several ports keep this one').conflicts('abandon'))
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
        await print(session, resolution, answer);
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

async function print(
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
