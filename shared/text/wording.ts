// How texts are made: counts, cuts, instants, plain names of columns. No schema: the console loads it.

// Counts as people read them.

/** `1,234,567`, in every language setting alike, because scripts compare tables. */
export const count = (value: number): string => (isShort(value) ? String(value) : value.toLocaleString('en-GB'));

/** Most counts are; the language functions are slow. */
const isShort = (value: number): boolean => Number.isInteger(value) && value > -1000 && value < 1000;

/** `1 row`, `3 rows`, `1,000 rows`. */
export const counted = (value: number, noun: string, plural = `${noun}s`): string =>
  `${count(value)} ${value === 1 ? noun : plural}`;

/** `account 1001 at https://porting.example.net`. @param account as `portingAccount` makes it (identity.ts) */
export const describeAccount = (account: string): string => `account ${account.replace('@', ' at ')}`;

// Cuts texts to a limit without cutting a character in half.

/**
 * At most `limit` UTF-16 units, and so at most `limit` code points, without half of a surrogate pair.
 */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, Math.max(0, limit));
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** A text as one line, for names: control characters and line breaks become single spaces. */
export const oneLine = (text: string): string => text.replace(/[\s\p{C}]+/gu, ' ').trim();

/** All rows of a port or a request share one item of at most 400 KB, and a character takes up to three bytes. */
const longestMessages = 100_000;
const longestOfOne = 500;

/** Characters of a message that are kept for each row of a list. */
export const longestRowMessage = (rows: number): number => Math.min(longestOfOne, Math.floor(longestMessages / rows));

// The plain name of a column of an operation, as people who use the console read it.

/** Where the words of the column's own name are not those of the field. */
const labels: Readonly<Record<string, string>> = {
  msisdn: 'Number',
  serialNo: 'SIM serial',
  pac: 'PAC',
  pacExpiry: 'PAC expiry',
  targetNetwork: 'Gaining network',
  sourceNetwork: 'Losing network',
  connectionDate: 'Port date',
  boltOns: 'Bolt-ons',
  esim: 'eSIM',
  provisioningOrderName: 'New provisioning order',
};

/** `Losing network` for `sourceNetwork`. In `boltOns: dataUK`, the option stays as it is. */
export function columnLabel(name: string): string {
  const [column = '', ...option] = name.split(': ');
  return [labels[column] ?? fromCamelCase(column), ...option].join(': ');
}

function fromCamelCase(name: string): string {
  const words = name.replaceAll(
    /([a-z\d])([A-Z])/g,
    (_both, before: string, after: string) => `${before} ${after.toLowerCase()}`,
  );
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Epoch milliseconds as ISO 8601 in UTC: texts of this form sort by time. */
export const isoTime = (epochMs: number): string => new Date(epochMs).toISOString();
