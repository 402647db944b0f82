// simporter events: the events that the emulator published, in their order.
import * as z from 'zod';
import { installation } from '#installation';
import type { EmulatorFile } from '#local/data-folder.ts';
import { splitLines } from '#shared/store/files.ts';
import type { CliContext } from '../context/cli-context.ts';
import { CliError, usageError } from '../context/cli-error.ts';
import { type ConfigureCommand, type ExitCode, exitCodes } from '../context/command.ts';
import { printJsonLine } from '../output/json.ts';
import { formatInstant, plain } from '../output/text.ts';
import { runningEmulator } from '../target/emulator.ts';
import { readResources } from '../target/stack-outputs.ts';
import { noteSimulator } from '../target/target.ts';

/** As a rule on the event bus receives it; docs/reference/events.md explains the members of `detail`. */
export const publishedEvent = z.object({
  id: z.string(),
  'detail-type': z.string(),
  source: z.string(),
  time: z.iso.datetime(),
  detail: z.looseObject({ version: z.int(), id: z.string(), at: z.iso.datetime(), importId: z.string() }),
});
type PublishedEvent = z.infer<typeof publishedEvent>;

export const configure: ConfigureCommand = (command, { run }) =>
  command
    .option('--follow', 'wait for more, and show each event as it comes')
    .action(run<[{ readonly follow?: boolean }]>((context, { follow = false }) => showEvents(context, follow)));

async function showEvents(context: CliContext, follow: boolean): Promise<ExitCode> {
  const { json, terminal, signal, options } = context;
  if (options.stack !== undefined) throw unreadableBus(options.stack);
  const emulator = await runningEmulator(context);
  if (emulator === undefined) {
    const advice = `Start one in another terminal: ${installation.startCommand}`;
    throw new CliError(`No emulator is running in ${options.directory}.`, { code: 'not-running', advice });
  }
  const output = { terminal, target: { simulated: readResources(emulator.outputs, 'The emulator').simulated } };
  if (output.target.simulated) noteSimulator(context);
  let shown = 0;
  for await (const event of readEmulatorEvents(emulator, { follow, signal })) {
    shown += 1;
    if (json) await printJsonLine(output, event);
    else await terminal.lines([formatEvent(event)]);
  }
  if (shown === 0) terminal.note('No event was published since the emulator started.');
  return exitCodes.done;
}

const unreadableBus = (stack: string): CliError =>
  usageError(
    'The event bus of a deployed stack cannot be read.',
    `Read the log that the stack names as EventsLog: aws logs tail /aws/events/${stack} --follow`,
  );

const longestName = 17;

/** `2026-07-06 12:00  PortStatusChanged  import …, request 1, portId …` */
function formatEvent({ time, 'detail-type': name, detail }: PublishedEvent): string {
  const { importId, version, id, at, ...rest } = detail;
  const members = Object.entries(rest).filter(([, value]) => typeof value !== 'object');
  const text = [`import ${importId}`, ...members.map(([member, value]) => `${member} ${value}`)].join(', ');
  return plain(`${formatInstant(time)}  ${name.padEnd(longestName)}  ${text}`);
}

/** The events so far; with `follow` also the next ones, until `signal` is aborted or the emulator stops. */
async function* readEmulatorEvents(
  { endpoints, environment }: EmulatorFile,
  { follow, signal }: { readonly follow: boolean; readonly signal: AbortSignal },
): AsyncIterable<PublishedEvent> {
  try {
    const headers = { authorization: `Bearer ${environment.AWS_SECRET_ACCESS_KEY}` };
    const { body } = await fetch(`${endpoints.emulator}/events${follow ? '?follow' : ''}`, { signal, headers });
    if (body === null) return;
    for await (const line of splitLines(body)) yield publishedEvent.parse(JSON.parse(line));
  } catch (error) {
    // Ctrl-C and the end of the emulator are the normal ways to stop following.
    if (!signal.aborted && !isConnectionClosed(error)) throw error;
  }
}

const isConnectionClosed = (error: unknown): boolean => error instanceof TypeError && error.message === 'terminated';
