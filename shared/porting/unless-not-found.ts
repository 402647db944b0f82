// A read of something that may not exist.
import { NotFound } from '#shared/service/errors.ts';

/** undefined: the service answered 404. */
export async function unlessNotFound<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
