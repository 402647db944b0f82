// A port that the service does not know, as a value: of one that it has purged nothing is left to be read.
import type { PortDetail } from '#shared/porting/contract.ts';
import { NotFound } from '#shared/porting/errors.ts';

/** undefined: the service answered 404. */
export async function unlessUnknown(reading: Promise<PortDetail>): Promise<PortDetail | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
