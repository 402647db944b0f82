// Ports that were read already, by version: an item is unpacked and parsed once, not for every page of the list. A
// cached port is never out of date, because its version is read from the table each time.
import type { Port } from '#simulator/ports/port.ts';

/** About 50 MB. */
const mostRowsKept = 100_000;

/** @param mostRows of all ports together; the ports that were used least recently are removed first */
export function createPortCache(mostRows = mostRowsKept) {
  const ports = new Map<string, Port>();
  let rows = 0;
  const remove = (port: Port): void => {
    ports.delete(port.id);
    rows -= port.rows.length;
  };
  const keep = (port: Port): void => {
    const earlier = ports.get(port.id);
    if (earlier !== undefined) remove(earlier);
    ports.set(port.id, port);
    rows += port.rows.length;
    for (const oldest of ports.values()) {
      if (rows <= mostRows) break;
      remove(oldest);
    }
  };
  return {
    /** The port, if this version of it was kept. */
    get: (id: string, version: number): Port | undefined => {
      const port = ports.get(id);
      if (port?.version !== version) return undefined;
      // The map is in order of use: the most recent is last.
      ports.delete(id);
      ports.set(id, port);
      return port;
    },
    keep,
    clear: (): void => {
      ports.clear();
      rows = 0;
    },
  };
}

export type PortCache = ReturnType<typeof createPortCache>;
