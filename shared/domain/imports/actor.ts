// Who gave a command, and why, stored for later readers. The name comes from that person's machine, so it proves
// nothing.

import type { RequestedBy } from '../requests/ledger.ts';
import { redactText } from '../text/redact.ts';
import { oneLine, truncate } from '../text/truncate.ts';

const longestReason = 200;
const longestName = 60;

/** As in a message. */
export interface ActorOptions {
  readonly by?: string | undefined;
  readonly because?: string | undefined;
}

/** Stored without anything that looks like a PAC or a secret (decision 44). */
export function requestedByOf({ by = '', because = '' }: ActorOptions): RequestedBy {
  const reason = shorten(because, longestReason);
  return { by: shorten(by, longestName) || 'unknown', ...(reason === '' ? {} : { because: reason }) };
}

const shorten = (text: string, longest: number): string => truncate(oneLine(redactText(text)), longest).trimEnd();
