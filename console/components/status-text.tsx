// A status of the service in plain words. Its own name is in the tooltip.
import { portStatus, rowStatus } from '#shared/port/port-status.ts';
import { strings } from '../strings.ts';

/** A status that is not known stays as the service wrote it. */
export function statusWords(name: string): string {
  const known = [portStatus(name), rowStatus(name)].find((status) => status.known);
  const words: Readonly<Record<string, string>> = strings.statuses;
  return (known && words[known.label]) ?? name;
}

export const StatusText = ({ name }: { readonly name: string }) =>
  name === '' ? '–' : <span title={name}>{statusWords(name)}</span>;
