// simporter decide IMPORT/REQUEST: what becomes of a request of which nobody can know from here whether the service took it.
import { Command, Option } from 'commander';
import type { Decide, DecisionAnswer } from '#shared/domain/decision.ts';
import type { RequestItem } from '#shared/domain/ledger.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { askingIn, becauseOption } from '../asking.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { Failure, usageFailure } from '../failure.ts';
import { findImport } from '../find-import.ts';
import { hint } from '../hint.ts';
import type { DecideJson } from '../json-shapes.ts';
import { printJson } from '../output/json.ts';
import { readCount } from '../read-number.ts';
import type { Session } from '../session.ts';
import { type Target, withTarget } from '../target.ts';

interface DecideOptions {
  readonly adopt?: string;
  readonly sendAgain?: boolean;
  readonly giveUp?: boolean;
  readonly keep?: string;
  readonly yes?: boolean;
  readonly because?: string;
}

export const decideCommand = ({ action }: CommandContext): Command =>
  new Command('decide')
    .description(
      'Decide about a request that needs a person: its port, once more, or never; or which of its ports stays.',
    )
    .argument('<request>', 'IMPORT/NUMBER, as attention names it')
    .addOption(new Option('--adopt <port>', 'this port is its own').conflicts(['sendAgain', 'giveUp', 'keep', 'yes']))
    .addOption(
      new Option('--send-again', 'the service does not have it: send it (with --yes)').conflicts(['giveUp', 'keep']),
    )
    .option('--give-up', 'nothing more is sent, and its numbers are free for another import')
    .addOption(new Option('--keep <port>', 'of several ports this one stays').conflicts('giveUp'))
    .option('--yes', 'with --send-again: it is there under no name; with --keep: have the other ports cancelled')
    .option(...becauseOption)
    .action(
      action<[string, DecideOptions]>((session, given, options) =>
        withTarget(session, async (target) => {
          const request = await findRequest(target, given);
          const name = `${request.importId}/${request.request}`;
          const what = readDecision(request, name, options);
          const { importId, request: number } = request;
          const wish = { importId, request: number, what, ...askingIn(session, options.because) };
          const answer = await untilTaken(session, target, wish);
          if (!answer.decided)
            throw new Failure(`Nothing was changed: ${answer.why}.`, { advice: `${answer.advice}.` });
          await tell(session, wish, answer);
          return answer.waitsFor === undefined ? exitCodes.done : exitCodes.attention;
        }),
      ),
    );

async function findRequest(target: Target, given: string): Promise<RequestItem> {
  const slash = given.lastIndexOf('/');
  if (slash < 1) throw usageFailure(`"${given}" names no request.`, `As attention does: ${hint('attention')}`);
  const number = readCount('request', given.slice(slash + 1));
  const { importId } = await findImport(target, given.slice(0, slash));
  const found = await target.requests.get(importId, number);
  if (found !== undefined) return found;
  throw usageFailure(`Import ${importId} has no request ${number}.`, `To see what waits: ${hint('attention')}`);
}

function readDecision(request: RequestItem, name: string, options: DecideOptions): Decide['what'] {
  const { adopt, sendAgain, giveUp, keep, yes = false } = options;
  if (adopt !== undefined) return { kind: 'adopt', portId: adopt };
  if (keep !== undefined) return { kind: 'keep', portId: keep, cancelOthers: yes };
  if (giveUp) return { kind: 'give-up' };
  if (sendAgain && yes) return { kind: 'send-again', yes };
  if (sendAgain)
    throw usageFailure(warningFor(request), `If you are sure: ${hint(`decide ${name} --send-again --yes`)}`);
  throw usageFailure(
    `Look for ${request.token} in the portal, then say what becomes of it.`,
    `One of: --adopt PORT, --send-again --yes, --give-up, and where it has several ports --keep PORT. For example: ${hint(`decide ${name} --give-up`)}`,
  );
}

const warningFor = ({ operation }: RequestItem): string =>
  operationNamed(operation)?.submission.makes === 'ticket'
    ? `The service cannot be asked whether it has this ${operation}: sent again it may be done twice.`
    : 'The service is asked once more before it is sent, but it knows our requests only by the name they were sent under.';

const waitMs = 2_000;
const longestMs = 120_000;

/** Sync runs once at a time: a decision waits until the run under way has ended. */
async function untilTaken(session: Session, target: Target, wish: Decide): Promise<DecisionAnswer> {
  for (const giveUpAt = session.clock() + longestMs; session.clock() < giveUpAt; await session.wait(waitMs)) {
    const answer = await target.decide(wish);
    if (answer !== 'busy') return answer;
  }
  throw new Failure('Nothing was changed: a run of sync has been at work for two minutes.', {
    advice: 'Give the same command again in a few minutes.',
  });
}

async function tell(
  { json, terminal }: Session,
  { importId, request, what }: Decide,
  { state, portId, waitsFor }: Extract<DecisionAnswer, { readonly decided: true }>,
): Promise<void> {
  if (json) {
    const told: DecideJson = { importId, request, decision: what.kind, state, portId, ...(waitsFor && { waitsFor }) };
    return printJson(terminal, told);
  }
  const done = {
    adopt: `Port ${portId} is taken as its own, and followed.`,
    'send-again': 'It is in line to be sent.',
    'give-up': 'It is given up: its numbers are free for another import.',
    keep:
      waitsFor === undefined
        ? `Port ${portId} stays, and no other one is on its way.`
        : `Port ${portId} stays. The service was asked to cancel ${waitsFor.join(', ')}: once that is done, decide the same again.`,
  };
  terminal.note(`${done[what.kind]} To follow it: ${hint(`status ${importId}`)}`);
}
