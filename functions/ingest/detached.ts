// Texts that outlive the piece of a file they were cut from.

/** A copy: a cell is a piece of 64 KiB of text, and keeping the piece would keep the whole alive. */
export const detached = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');
