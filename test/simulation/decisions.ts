// Requests that are left to people, and what people decide about them by `simporter decide`.

import type { AwsClients } from '#shared/aws/clients.ts';
import { createRequests } from '#shared/aws/requests.ts';
import type { Decide } from '#shared/domain/decision.ts';
import { tokenOfPortName } from '#shared/domain/identity.ts';
import type { RequestItem } from '#shared/domain/ledger.ts';
import { leftToPeople } from '#shared/domain/request-state.ts';
import { settle } from './drive.ts';
import { quietMs, table } from './pipeline.ts';
import type { World } from './world.ts';

export type Kind = Decide['what']['kind'];
export const kinds: readonly Kind[] = ['adopt', 'send-again', 'give-up', 'keep'];

/** By then every answer that is late has come, and the list shows every port: sync would look for it as well. */
const knowableMs = (quietMs * 5) / 6;

const requestsOf = ({ table: twin }: World): RequestItem[] =>
  twin.items().filter(({ sk }) => String(sk).startsWith('request#')) as unknown as RequestItem[];

/**
 * Requests in doubt are left to people, as sync does where a port with other numbers bears their name: with ports that are
 * there and ports that are not.
 */
export async function leaveToPeople(world: World): Promise<void> {
  const requests = createRequests(world.table as unknown as AwsClients['table'], table);
  const now = world.timeline.now();
  for (const { importId, request, state, changedAt } of requestsOf(world)) {
    if (state !== 'unknown' || now - Date.parse(changedAt) < knowableMs) continue;
    const seen = await requests.get(importId, request);
    if (seen?.state === 'unknown') await requests.replace(seen, leftToPeople(seen, 'nobody knows', now));
  }
}

/** Somebody decides about some request, rightly or wrongly. */
export function decideOn(place: number, kind: Kind, world: World): void {
  const requests = requestsOf(world);
  const waiting = requests.filter(({ state }) => state === 'needs-human');
  const among = waiting.length > 0 ? waiting : requests;
  const item = among[place % Math.max(1, among.length)];
  if (item === undefined) return;
  const ports = world.network.ports();
  const portId = portsUnder(item, world)[0] ?? ports[place % Math.max(1, ports.length)]?.id ?? 'none';
  void world.lambda.decide(wishOf(item, kind, portId));
}

function wishOf({ importId, request }: RequestItem, kind: Kind, portId: string): Decide {
  const what = {
    adopt: { kind: 'adopt', portId },
    keep: { kind: 'keep', portId, cancelOthers: true },
    'send-again': { kind: 'send-again', yes: true },
    'give-up': { kind: 'give-up' },
  } as const;
  return { importId, request, what: what[kind], by: 'Sam' };
}

const portsUnder = ({ token }: RequestItem, { network }: World): string[] =>
  network.ports().flatMap(({ id, name }) => (tokenOfPortName(name) === token ? [id] : []));

/**
 * People decide about whatever they can know: the port is taken where there is one, else the request is sent again. What came of
 * a text or a bar nobody can look up, so that it stays as it is.
 */
export async function decideAll(world: World): Promise<boolean> {
  let decided = false;
  const waiting = requestsOf(world).filter(
    ({ state, operation }) => state === 'needs-human' && operation === 'create-port',
  );
  for (const item of waiting) {
    const [portId] = portsUnder(item, world);
    const wish = portId === undefined ? wishOf(item, 'send-again', '') : wishOf(item, 'adopt', portId);
    void world.lambda.decide(wish).then((answer) => {
      decided ||= answer !== 'died' && answer.decided;
    });
    await settle(world);
  }
  return decided;
}
