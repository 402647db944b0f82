// Whether the service is down, as all functions know it.
import type { OutageJson } from './json-shapes.ts';
import type { Terminal } from './output/terminal.ts';
import { plain } from './output/text.ts';
import { instantText } from './show-import.ts';
import type { Target } from './target.ts';

/** Undefined while the service is well. */
export async function readOutage({ pace }: Pick<Target, 'pace'>): Promise<OutageJson | undefined> {
  const item = await pace();
  if (item?.outage === undefined || item.failing === undefined) return undefined;
  return { since: item.failing.since, because: item.failing.because };
}

export function tellOutage(outage: OutageJson | undefined, { note, notePaint }: Terminal): void {
  if (outage === undefined) return;
  const since = `The service has been down since ${instantText(outage.since)} UTC (${plain(outage.because)})`;
  note(notePaint('yellow', `${since}: nothing is sent until it answers, and nothing is lost.`));
}
