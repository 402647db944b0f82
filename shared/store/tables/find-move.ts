// Finds the import that moves a port to another day: its request waits until the port is cancelled.
import type { Requests } from '#shared/store/requests.ts';

/** Later than every request is due. */
const always = '9999-12-31T23:59:59.999Z';
/** More are hardly ever moved at once: each takes a call to cancel its port. */
const readLimit = 10_000;

/** The import that moves the port, until the port is cancelled; undefined where none does. */
export type FindMove = (portId: string) => Promise<string | undefined>;

/** Reads the waiting requests once, when the first port is asked for. Create one for each batch of requests. */
export function createFindMove(requests: Requests): FindMove {
  let moves: Promise<ReadonlyMap<string, string>> | undefined;
  const read = async () => {
    const waiting = await requests.held(always, readLimit, () => {});
    return new Map(waiting.flatMap(({ importId, replaces }) => (replaces ? [[replaces.portId, importId]] : [])));
  };
  return async (portId) => {
    moves ??= read();
    return (await moves).get(portId);
  };
}
