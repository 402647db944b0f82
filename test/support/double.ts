/** At any depth; a function is whole. */
type Parts<Whole> = Whole extends (...given: never[]) => unknown
  ? Whole
  : Whole extends object
    ? { readonly [Name in keyof Whole]?: Parts<Whole[Name]> }
    : Whole;

/** A double of a collaborator, or of several, with the part that a test needs. */
export const double = <Whole>(part: NoInfer<Parts<Whole>>): Whole => part as Whole;
