// The catalogue of whoever asks for ports: each is a call of its own, and thousands of them may lie between two batches of rows.
import type { Catalogue } from '#shared/operations/catalogue.ts';
import type { OutOfTime } from './out-of-time.ts';

/** A look-up with its repetitions, its place in line, and what is to be cleaned up then, in milliseconds. */
const lookUpMs = 60_000;

/** The same catalogue, which throws what `stop` makes before a port that there may be no time for. */
export const portsInTime = (catalogue: Catalogue, remainingMs: () => number, stop: () => OutOfTime): Catalogue => ({
  ...catalogue,
  port: async (portId, freshness) => {
    if (remainingMs() < lookUpMs) throw stop();
    return catalogue.port(portId, freshness);
  },
});
