// What a run of sync came to, and whether anything is left that should have been done.
import type { SyncAnswer } from '#shared/domain/sync-wish.ts';
import type { OutageJson, SyncJson } from './json-shapes.ts';
import { tellOutage } from './outage.ts';
import type { Terminal } from './output/terminal.ts';
import { counted, plain } from './output/text.ts';

export const syncJsonOf = (answer: SyncAnswer, outage?: OutageJson): SyncJson => {
  const { skipped, left, secretChecked = false, failure } = answer;
  const synced = !skipped && left === 0 && failure === undefined && outage === undefined;
  return { synced, skipped, left, secretChecked, ...(failure !== undefined && { failure }), ...(outage && { outage }) };
};

/** One line for each thing that a person should know. */
export function tellSync(
  { synced, skipped, left, secretChecked, failure, outage }: SyncJson,
  terminal: Terminal,
): void {
  const { note, notePaint } = terminal;
  const warn = (text: string): void => note(notePaint('yellow', text));
  if (skipped) warn('Nothing was done: another run is at work. Ask again in a minute.');
  if (failure !== undefined) warn(`The service could not be asked: ${plain(failure)}. What is due stays due.`);
  if (left > 0) warn(`${counted(left, 'port')} ${left === 1 ? 'waits' : 'wait'} for the next run.`);
  tellOutage(outage, terminal);
  if (secretChecked) note('The service took the secret as it is stored now.');
  if (synced) note('Synced: what was due is up to date.');
}
