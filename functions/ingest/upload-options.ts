// Options for a whole upload, from the metadata of its object.
import { truncate } from '#shared/domain/text/truncate.ts';

const defaultPrefix = 'set-';
const percentage = /^(100|\d{1,2})(\.\d+)?$/;

export interface UploadOptions {
  readonly planOnly: boolean;
  /** Values for whole columns, by the column name as the uploader wrote it, in lower case: S3 changes the case. */
  readonly defaults: Readonly<Record<string, string>>;
  /**
   * The highest percentage of invalid rows at which the others are still submitted.
   * @default the environment's setting
   */
  readonly toleratedFailurePercentage?: number;
  /** Why an option cannot be read. */
  readonly problem?: string;
}

/** `plan-only: true`, `tolerate: <percentage>`, and `set-<column>: <URI-encoded value>`. */
export function readUploadOptions(metadata: Readonly<Record<string, string>>): UploadOptions {
  const entries = Object.entries(metadata).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    planOnly: entries.some(([name, value]) => name === 'plan-only' && value.toLowerCase() === 'true'),
    defaults: Object.fromEntries(
      entries
        .filter(([name]) => name.startsWith(defaultPrefix))
        .map(([name, value]) => [name.slice(defaultPrefix.length), decode(value)]),
    ),
    ...readTolerance(entries.find(([name]) => name === 'tolerate')?.[1].trim()),
  };
}

/** An unreadable percentage is a problem, not the default: the uploader may have meant all or nothing. */
function readTolerance(text: string | undefined): Pick<UploadOptions, 'toleratedFailurePercentage' | 'problem'> {
  if (text === undefined) return {};
  const tolerated = percentage.test(text) ? Number(text) : Number.NaN;
  if (tolerated <= 100) return { toleratedFailurePercentage: tolerated };
  return {
    problem: `the metadata has tolerate "${truncate(text, 20)}": use a percentage from 0 to 100; nothing was submitted`,
  };
}

/** Metadata is ASCII only, so values are URI-encoded; a value that does not decode is taken as it is. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
