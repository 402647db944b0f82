// Who asked for something, and why, in their own words: kept so that those who come later know. The name is what the person's own
// machine says, so it proves nothing.
import { clip, oneLine } from './clip.ts';
import type { Asked } from './ledger.ts';
import { redactText } from './redact.ts';

const longestReason = 200;
const longestName = 60;

/** As a message carries it. */
export interface Asking {
  readonly by?: string | undefined;
  readonly because?: string | undefined;
}

/** What a person wrote is stored without anything that looks like a PAC or a secret (decision 44). */
export function askedAs({ by = '', because = '' }: Asking): Asked {
  const reason = fitted(because, longestReason);
  return { by: fitted(by, longestName) || 'unknown', ...(reason === '' ? {} : { because: reason }) };
}

const fitted = (text: string, longest: number): string => clip(oneLine(redactText(text)), longest).trimEnd();
