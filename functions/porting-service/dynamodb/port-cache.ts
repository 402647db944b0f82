// Ports that were read already, by version: what stands in the table is unpacked and checked once, not on every page of the list
// that shows it. Nothing is ever out of date: the version is read from the table each time.
import type { Port } from '../port.ts';

export interface PortCache {
  /** The port, where this very version of it was kept. */
  get(id: string, version: number): Port | undefined;
  keep(port: Port): void;
}

/** About 50 MB. */
const mostRowsKept = 100_000;

/** @param mostRows of all ports that are kept together; those that were asked for least recently are let go */
export function createPortCache(mostRows = mostRowsKept): PortCache {
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
    get: (id, version) => {
      const port = ports.get(id);
      if (port?.version !== version) return undefined;
      // The most recently used stands last.
      ports.delete(id);
      ports.set(id, port);
      return port;
    },
    keep,
  };
}
