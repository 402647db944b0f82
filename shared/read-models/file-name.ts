/** The name of the user's file: the last part of its key in the inbox. */
export const fileNameOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1);
