/** The object, or the requested version of it, does not exist any more. */
export class ObjectGone extends Error {
  override readonly name = 'ObjectGone';

  constructor({ bucket, key }: { readonly bucket: string; readonly key: string }, cause: unknown) {
    super(`s3://${bucket}/${key} is gone, or has another version than requested`, { cause });
  }
}

/** By its name: a part of a function that is loaded separately has another class. */
export const isObjectGone = (error: unknown): boolean => error instanceof Error && error.name === 'ObjectGone';

/** Reads again, once, when the object was replaced meanwhile, as report does with results.csv. @throws ObjectGone */
export const readAgainIfReplaced = <Read>(read: () => Promise<Read>): Promise<Read> =>
  read().catch((error: unknown) => {
    if (isObjectGone(error)) return read();
    throw error;
  });
