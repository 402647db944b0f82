// Every port that the service holds under the name of one request, as it is now.
import type { RequestItem } from '#shared/domain/ledger.ts';
import type { PortReading } from '#shared/domain/port-look.ts';
import { portsOf } from '#shared/domain/request-state.ts';
import { findPorts } from './find-ports.ts';
import type { SyncParts } from './parts.ts';
import { unlessUnknown } from './unless-unknown.ts';

/** With the ports that the ledger knows of and the service still has; undefined where the list was too long to prove that there is no other. */
export async function portsUnderName(item: RequestItem, parts: SyncParts): Promise<PortReading[] | undefined> {
  const { token } = item;
  const looks = [await findPorts(new Set([token]), parts)];
  // A first scan that shows one port ends the search, and another may have shifted between its pages (fault 44).
  if (looks[0]?.portsOf(token).length !== 0) looks.push(await findPorts(new Set([token]), parts));
  if (looks.some(({ complete }) => !complete)) return undefined;
  const listed = new Set(looks.flatMap((look) => look.portsOf(token)));
  const ports: PortReading[] = [];
  for (const id of listed) ports.push(await parts.client.port(id));
  for (const id of portsOf(item).filter((known) => !listed.has(known))) {
    // Neither the list nor the port's own address may show it: then the service has purged it.
    const port = await unlessUnknown(parts.client.port(id));
    if (port !== undefined) ports.push(port);
  }
  return ports;
}
