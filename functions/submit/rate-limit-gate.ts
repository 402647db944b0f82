// Asks the rate limiter whether a call may be made, before anything is written for it.
import { isPortingFailure, type PortingFailure } from '#shared/porting/errors.ts';
import type { SubmitDependencies } from './dependencies.ts';

/** Why no call may be made now; undefined where one may. */
export async function checkRateLimit({ client }: SubmitDependencies): Promise<PortingFailure | undefined> {
  try {
    await client.ready();
    return undefined;
  } catch (error) {
    if (isPortingFailure(error)) return error;
    throw error;
  }
}
