// simporter events: what the engine announced to others, in the order in which it did.
import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { readEvents } from '../events.ts';
import { exitCodes } from '../exit-code.ts';
import { Failure, usageFailure } from '../failure.ts';
import type { EventJson } from '../json-shapes.ts';
import { printJsonLine } from '../output/json.ts';
import type { Session } from '../session.ts';
import { instantText } from '../show-import.ts';
import { runningEngine } from '../target.ts';

interface EventsOptions {
  readonly follow?: boolean;
}

export const eventsCommand = ({ action }: CommandContext): Command =>
  new Command('events')
    .description('Show the events that the engine announced: what a deployed stack says on its bus.')
    .option('--follow', 'stay, and show each event as it comes')
    .action(
      action<[EventsOptions]>(async (session, { follow = false }) => {
        refuseStack(session);
        const engine = await runningEngine(session);
        if (engine === undefined) {
          const advice = 'Start one in another terminal: npm start';
          throw new Failure(`No engine is running on ${session.options.directory}.`, { advice });
        }
        let shown = 0;
        for await (const event of readEvents(engine.endpoints.eventBridge, follow, session.signal)) {
          shown += 1;
          if (session.json) await printJsonLine(session.terminal, event);
          else await session.terminal.lines([lineOf(event)]);
        }
        if (shown === 0) session.terminal.note('Nothing was announced since the engine was started.');
        return exitCodes.done;
      }),
    );

function refuseStack({ options: { stack } }: Session): void {
  if (stack === undefined) return;
  const advice = `Every event stands in the log that the stack names as EventsLog: aws logs tail /aws/events/${stack} --follow`;
  throw usageFailure('Events of a deployed stack are on its bus, which nobody can read back.', advice);
}

const longestName = 17;

/** `2026-07-06 12:00  PortStatusChanged  request 1, port …: Submitted to Locked` */
function lineOf(event: EventJson): string {
  return `${instantText(event.time)}  ${event['detail-type'].padEnd(longestName)}  ${gistOf(event)}`;
}

function gistOf({ detail }: EventJson): string {
  const { importId, version, id, at, ...rest } = detail;
  const members = Object.entries(rest).filter(([, value]) => typeof value !== 'object');
  return [`import ${importId}`, ...members.map(([name, value]) => `${name} ${value}`)].join(', ');
}
