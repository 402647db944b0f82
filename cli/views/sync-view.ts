// What a run of sync did, and what is left.
import type { SyncAnswer } from '#shared/domain/requests/sync-command.ts';
import { counted } from '#shared/domain/text/counted.ts';
import type { Outage } from '#shared/read-models/answers.ts';
import type { SyncJson } from '../json-shapes.ts';
import type { Terminal } from '../output/terminal.ts';
import { plain } from '../output/text.ts';
import { printOutage } from './outage-view.ts';

export const toSyncJson = (answer: SyncAnswer, outage?: Outage): SyncJson => {
  const { skipped: alreadyRunning, left: portsLeft, secretChecked = false, failure } = answer;
  return {
    synced: !alreadyRunning && portsLeft === 0 && failure === undefined && outage === undefined,
    ...{ alreadyRunning, portsLeft, secretChecked },
    ...(failure !== undefined && { failure }),
    ...(outage && { outage }),
  };
};

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
