// How a person runs the next command: what is written here can be copied from the terminal and works.

/** `status abc` becomes `npm run simporter -- status abc`. */
export const hint = (words: string): string => `npm run simporter -- ${words}`;
