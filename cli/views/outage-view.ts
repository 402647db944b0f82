// An outage of the service as a warning.
import type { Outage } from '#shared/read-models/answers.ts';
import type { Terminal } from '../output/terminal.ts';
import { formatInstant, plain } from '../output/text.ts';

export function printOutage(outage: Outage | undefined, { note, notePaint }: Terminal): void {
  if (outage === undefined) return;
  const since = `The service has been unavailable since ${formatInstant(outage.since)} UTC (${plain(outage.reason)})`;
  const next = `The next attempt is at ${outage.nextAttemptAt.slice(11, 19)} UTC.`;
  note(notePaint('yellow', `${since}: requests wait until it answers again; none is lost. ${next}`));
}
