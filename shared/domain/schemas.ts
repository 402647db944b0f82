// The shapes of counts, positions and instants, as stored and as answered.
import * as z from 'zod/mini';

export const count = z.int().check(z.nonnegative());
/** Counted from 1: a line, a request. */
export const ordinal = z.int().check(z.positive());
/** ISO 8601 in UTC. */
export const instant = z.iso.datetime();
