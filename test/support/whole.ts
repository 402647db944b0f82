// Collaborators of which a test makes only the part that is used.

/** A call of what is missing fails. */
export const whole = <Type>(part: Partial<NoInfer<Type>>): Type => part as Type;
