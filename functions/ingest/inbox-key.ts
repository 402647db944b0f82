// What the key of an uploaded object says: `create-port/anything.csv`, or `plan/create-port/anything.csv` to stop at the plan.
import { clip } from '#shared/domain/clip.ts';

/** The top folder whose files are planned and then wait for approval. */
const planFolder = 'plan';

export interface InboxKey {
  /** The folder that names the operation; empty for a file beside the folders. */
  readonly folder: string;
  readonly planOnly: boolean;
  readonly isCsv: boolean;
}

/** undefined: nothing that a user dropped to be read, but a folder's marker or a hidden file of some program. */
export function readInboxKey(key: string): InboxKey | undefined {
  const folders = key.split('/');
  const fileName = folders.pop() ?? '';
  if (fileName === '' || fileName.startsWith('.')) return undefined;
  const planOnly = folders.length > 1 && folders[0] === planFolder;
  const folder = folders[planOnly ? 1 : 0] ?? '';
  return { folder, planOnly, isCsv: fileName.toLowerCase().endsWith('.csv') };
}

const defaultPrefix = 'set-';
const percentage = /^(100|\d{1,2})(\.\d+)?$/;

/** What the uploader wished for the whole file, from the object's metadata. */
export interface UploadWishes {
  readonly planOnly: boolean;
  /** Values for whole columns by the column's name as it was written: S3 makes it lower-case. */
  readonly defaults: Readonly<Record<string, string>>;
  /** The most rows that may be rejected, in percent of all, before nothing is sent. @default the stage's setting */
  readonly toleratedFailurePercentage?: number;
  /** Why the wishes cannot be met as they are written. */
  readonly problem?: string;
}

/** `plan-only: true`, `tolerate: <percentage>`, and `set-<column>: <URI-encoded value>`. */
export function readWishes(metadata: Readonly<Record<string, string>>): UploadWishes {
  const entries = Object.entries(metadata).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    planOnly: entries.some(([name, value]) => name === 'plan-only' && value.toLowerCase() === 'true'),
    defaults: Object.fromEntries(
      entries
        .filter(([name]) => name.startsWith(defaultPrefix))
        .map(([name, value]) => [name.slice(defaultPrefix.length), decoded(value)]),
    ),
    ...readTolerance(entries.find(([name]) => name === 'tolerate')?.[1].trim()),
  };
}

/** What cannot be read must not let a file through that its owner wanted all or nothing of. */
function readTolerance(text: string | undefined): Pick<UploadWishes, 'toleratedFailurePercentage' | 'problem'> {
  if (text === undefined) return {};
  const tolerated = percentage.test(text) ? Number(text) : Number.NaN;
  if (tolerated <= 100) return { toleratedFailurePercentage: tolerated };
  return {
    problem: `the metadata says tolerate "${clip(text, 20)}": write a percentage from 0 to 100; nothing is sent`,
  };
}

/** Metadata carries ASCII only, so values are URI-encoded; a value that was not encoded is taken as it is. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
