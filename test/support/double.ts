type Parts<Whole> = { readonly [Name in keyof Whole]?: Whole[Name] | Partial<Whole[Name]> };

/** A double of a collaborator, or of several, with the part that a test needs. */
export const double = <Whole>(part: NoInfer<Parts<Whole>>): Whole => part as Whole;
