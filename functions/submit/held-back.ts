// Whether a call may be made now: asked before anything is written down for it.
import { isPortingFailure, type PortingFailure } from '#shared/porting/errors.ts';
import type { SubmitParts } from './parts.ts';

/** Why no call may be made now; undefined where one may. */
export async function heldBack({ client }: SubmitParts): Promise<PortingFailure | undefined> {
  try {
    await client.ready();
    return undefined;
  } catch (error) {
    if (isPortingFailure(error)) return error;
    throw error;
  }
}
