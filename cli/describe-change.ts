// What happened to an import between two looks, in one line for the log of a running engine.
import type { ImportItem } from '#shared/domain/ledger.ts';
import { fileNameOf } from './find-import.ts';
import { tallyText } from './follow-import.ts';
import { hint } from './hint.ts';
import { count, counted, plain } from './output/text.ts';

/** `create-port.csv: planned: 28 of 30 rows in 4 requests`; undefined when nothing worth a line has changed. */
export function describeChange(before: ImportItem | undefined, now: ImportItem): string | undefined {
  const change = before?.state === now.state ? changeWithinState(before, now) : stateText(now);
  return change === undefined ? undefined : `${plain(fileNameOf(now.key))} ${change}`;
}

function stateText({
  state,
  planOnly,
  importId,
  rows,
  accepted,
  rejected,
  requestCount,
  requests,
  ports,
  issues,
}: ImportItem): string {
  switch (state) {
    case 'planning':
      return `received as import ${importId}`;
    case 'planned':
      return `planned: ${count(accepted)} of ${counted(rows, 'row')} in ${counted(requestCount, 'request')}${planOnly ? `; to send them: ${hint(`approve ${importId}`)}` : ''}`;
    case 'refused':
      return `refused: ${plain(issues[0]?.message ?? `none of ${counted(rows, 'row')} can be sent`)}`;
    case 'submitting':
      return `sending ${count(accepted)} of ${counted(rows, 'row')} in ${counted(requestCount, 'request')}, ${count(rejected)} rejected`;
    case 'following':
      return `sent: ${tallyText(requests)}`;
    case 'completed':
      return `completed: ${tallyText(ports) || tallyText(requests)}`;
  }
}

function changeWithinState(before: ImportItem, now: ImportItem): string | undefined {
  if (now.attention > before.attention) return `needs you: ${counted(now.attention, 'row')} (${hint('attention')})`;
  const ports = tallyText(now.ports);
  if (ports !== tallyText(before.ports)) return `ports: ${ports}`;
  const requests = tallyText(now.requests);
  return requests === tallyText(before.requests) ? undefined : `requests: ${requests}`;
}
