// Requests that require action, and their resolutions with `simporter resolve`.
import type { Resolution } from '#shared/request/messages.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { markActionRequired } from '#shared/request/request-state.ts';
import type { AwsClients } from '#shared/store/clients.ts';
import { createRequests } from '#shared/store/requests.ts';
import { tokenOfPortName } from '#shared/text/identity.ts';
import { quietMs, table } from './pipeline.ts';
import type { World } from './world.ts';

export type Kind = Resolution['what']['kind'];
export const kinds: readonly Kind[] = ['adopt', 'resend', 'abandon', 'keep'];

/** By then every late answer has arrived and the list shows every port, as when sync searches. */
const knowableMs = (quietMs * 5) / 6;

const requestsOf = ({ table: twin }: World): RequestItem[] =>
  twin.items().filter(({ sk }) => String(sk).startsWith('request#')) as unknown as RequestItem[];

/** Marks requests of unknown outcome "action required", as sync does if a port has their name and other numbers. */
export async function leaveToPeople(world: World): Promise<void> {
  const requests = createRequests(world.table as unknown as AwsClients['table'], table);
  const now = world.timeline.now();
  for (const { importId, request, state, changedAt } of requestsOf(world)) {
    if (state !== 'unknown' || now - Date.parse(changedAt) < knowableMs) continue;
    const seen = await requests.get(importId, request);
    if (seen?.state === 'unknown') await requests.replace(seen, markActionRequired(seen, 'nobody knows', now));
  }
}

/** Resolves one request, rightly or wrongly. */
export function decideOn(place: number, kind: Kind, world: World): void {
  const requests = requestsOf(world);
  const waiting = requests.filter(({ state }) => state === 'action-required');
  const among = waiting.length > 0 ? waiting : requests;
  const item = among[place % Math.max(1, among.length)];
  if (item === undefined) return;
  const ports = world.network.ports();
  const portId = portsUnder(item, world)[0] ?? ports[place % Math.max(1, ports.length)]?.id ?? 'none';
  void world.lambda.resolve(resolutionOf(item, kind, portId));
}

function resolutionOf({ importId, request }: RequestItem, kind: Kind, portId: string): Resolution {
  const what = {
    adopt: { kind: 'adopt', portId },
    keep: { kind: 'keep', portId, cancelOthers: true },
    resend: { kind: 'resend', yes: true },
    abandon: { kind: 'abandon' },
  } as const;
  return { importId, request, what: what[kind], by: 'Sam' };
}

const portsUnder = ({ token }: RequestItem, { network }: World): string[] =>
  network.ports().flatMap(({ id, name }) => (tokenOfPortName(name) === token ? [id] : []));

/**
 * Resolves every request whose outcome can be found out: adopts its port, or resends it if there is none. Text messages
 * and bars cannot be searched for and stay as they are.
 */
export async function resolveAll(world: World, settle: (world: World) => Promise<void>): Promise<boolean> {
  let decided = false;
  const waiting = requestsOf(world).filter(
    ({ state, operation }) => state === 'action-required' && operation === 'create-port',
  );
  for (const item of waiting) {
    const [portId] = portsUnder(item, world);
    const resolution = portId === undefined ? resolutionOf(item, 'resend', '') : resolutionOf(item, 'adopt', portId);
    void world.lambda.resolve(resolution).then((answer) => {
      decided ||= answer !== 'died' && answer.resolved;
    });
    await settle(world);
  }
  return decided;
}
