import type { ObjectRef } from './files.ts';

/** The object, or the requested version of it, does not exist any more. */
export class ObjectGone extends Error {
  override readonly name = 'ObjectGone';
  readonly bucket: string;
  readonly key: string;

  constructor(ref: ObjectRef, cause: unknown) {
    super(`s3://${ref.bucket}/${ref.key} is gone, or has another version than requested`, { cause });
    this.bucket = ref.bucket;
    this.key = ref.key;
  }
}

/** Reads again, once, when the object was replaced meanwhile, as report does with results.csv. @throws ObjectGone */
export const readAgainIfReplaced = <Read>(read: () => Promise<Read>): Promise<Read> =>
  read().catch((error: unknown) => {
    if (error instanceof ObjectGone) return read();
    throw error;
  });
