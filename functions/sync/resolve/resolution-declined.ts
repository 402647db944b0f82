/** A resolution that cannot be carried out. The message is the reason. Nothing was changed. */
export class ResolutionDeclined extends Error {
  override readonly name = 'ResolutionDeclined';
  readonly advice: string;

  constructor(why: string, advice: string) {
    super(why);
    this.advice = advice;
  }
}

/** @throws ResolutionDeclined where the request could not be replaced */
export async function unlessChanged<Stored>(replacing: Promise<Stored | undefined>): Promise<Stored> {
  const stored = await replacing;
  if (stored !== undefined) return stored;
  const advice = 'Check its state, then resolve it again if that is still necessary';
  throw new ResolutionDeclined('the request changed meanwhile', advice);
}
