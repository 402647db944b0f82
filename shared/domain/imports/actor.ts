// Who gave a command, and why, stored for later readers. The name comes from that person's machine, so it proves
// nothing; the principal comes from AWS.

import { redactText } from '#shared/row/redact.ts';
import type { RequestedBy } from '../../items/import-stop.ts';
import { oneLine, truncate } from '../text/truncate.ts';

const longestReason = 200;
const longestName = 60;
/** An id of 21 characters, and the name of a session of 64. */
const longestPrincipal = 100;

/** As in a message. */
export interface ActorOptions {
  readonly by?: string | undefined;
  readonly because?: string | undefined;
  readonly principal?: string | undefined;
}

/** Who it was, by AWS. S3 writes `AWS:` before the id that SQS writes alone. */
export const principalOf = (written: string | undefined): string | undefined =>
  written?.replace(/^AWS:/, '').slice(0, longestPrincipal) || undefined;

/** Stored without anything that looks like a PAC or a secret (spec gap 44). */
export function requestedByOf({ by = '', because = '', principal }: ActorOptions): RequestedBy {
  const reason = shorten(because, longestReason);
  return {
    by: shorten(by, longestName) || 'unknown',
    ...(reason === '' ? {} : { because: reason }),
    ...(principal && { principal }),
  };
}

const shorten = (text: string, longest: number): string => truncate(oneLine(redactText(text)), longest).trimEnd();
