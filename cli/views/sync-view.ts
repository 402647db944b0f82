// What a run of sync did, and what is left.
import type { SyncAnswer } from '#shared/request/messages.ts';
import type { Outage } from '#shared/results/answers.ts';
import { counted } from '#shared/text/wording.ts';
import type { Terminal } from '../output/terminal.ts';
import { formatInstant, plain } from '../output/text.ts';

export const toSyncJson = (answer: SyncAnswer, outage?: Outage) => {
  const { skipped: alreadyRunning, left: portsLeft, secretChecked = false, failure } = answer;
  return {
    synced: !alreadyRunning && portsLeft === 0 && failure === undefined && outage === undefined,
    alreadyRunning,
    portsLeft,
    secretChecked,
    ...(failure !== undefined && { failure }),
    ...(outage && { outage }),
  };
};

export type SyncJson = ReturnType<typeof toSyncJson>;

export function printSync(
  { synced, alreadyRunning, portsLeft, secretChecked, failure, outage }: SyncJson,
  terminal: Terminal,
): void {
  const { note, notePaint } = terminal;
  const warn = (text: string): void => note(notePaint('yellow', text));
  if (alreadyRunning) warn('Nothing was done: another run of sync is in progress. Try again in a minute.');
  if (failure !== undefined) warn(`The service could not be called: ${plain(failure)}. The ports remain due.`);
  if (portsLeft > 0) warn(`${counted(portsLeft, 'due port')} left for the next run.`);
  printOutage(outage, terminal);
  if (secretChecked) note('The service accepted the secret as it is stored now.');
  if (synced) note('Synced: every due port is up to date.');
}

export function printOutage(outage: Outage | undefined, { note, notePaint }: Terminal): void {
  if (outage === undefined) return;
  const since = `The service has been unavailable since ${formatInstant(outage.since)} UTC (${plain(outage.reason)})`;
  const next = `The next attempt is at ${outage.nextAttemptAt.slice(11, 19)} UTC.`;
  note(notePaint('yellow', `${since}: requests wait until it answers again; none is lost. ${next}`));
}
