// The shapes of counts, positions and instants, as stored and as answered.
import * as z from 'zod/mini';

export const count = z.int().check(z.nonnegative());
/** Counted from 1: a line, a request. */
export const ordinal = z.int().check(z.positive());
/** ISO 8601 in UTC. */
export const instant = z.iso.datetime();

/** JSON can carry half of a character of two UTF-16 units, which UTF-8 cannot: S3 and DynamoDB take no such text. */
export const isWellFormed = z.refine<string>(
  (value) => value.isWellFormed(),
  'half of a character, such as an emoji, is missing: enter the text again',
);
