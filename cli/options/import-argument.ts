// The argument of every command about one import.
export const importArgument = ['<import>', 'its id, the beginning of its id, or the name of the file'] as const;
