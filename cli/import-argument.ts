// How every command that is about one import asks for it.
export const importArgument = ['<import>', 'its id, the beginning of its id, or the name of the file'] as const;
