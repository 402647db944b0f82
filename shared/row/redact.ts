// Removes what must not be in a log, a message or an error: porting codes, tokens and secrets (spec gap 44). Logs
// also must not contain phone numbers and SIM serials.
import { truncate } from '#shared/text/wording.ts';
import { canonicalPac, codeSeparators, maybePac } from './pac.ts';

const secretKeys: ReadonlySet<string> = new Set([
  'pac',
  'newpac',
  'paccode',
  'portingcode',
  'rio',
  'stac',
  'token',
  'accesstoken',
  'refreshtoken',
  'bearertoken',
  'secret',
  'clientsecret',
  'secretstring',
  'password',
  'authorization',
  'cookie',
  'setcookie',
]);

const mask = '[redacted]';
const longestBody = 500;
/** A text in a log; a stack trace fits. */
const longestLogged = 10_000;
const deepest = 12;

/** As many separators as people write, so that the patterns match in linear time. */
const gap = `[${codeSeparators}]{0,3}`;
const times = (part: string, count: number): string => `(?:${gap}${part}){${count}}`;
/** Words of messages beside a count of six digits: "the 100000 rows" is not a PAC. */
const words = 'all|and|are|but|for|has|its|max|not|per|row|sim|the|was';
const noWord = `(?!(?:${words})\\s)`;
/** "is a 2026-07-01" is a date. */
const noDate = '(?![A-Za-z\\s]{3,9}\\d{4}-\\d\\d-\\d\\d)';
/** A lower-case letter beside another one belongs to a word, and a word is not part of a code with separators. */
const rioLetter = '(?:[A-Z]|(?<![a-z])[a-z](?![a-z]))';
const rioCharacter = `(?:\\d|${rioLetter})`;
const rioStart = `(?<![A-Za-z0-9-])(?=[A-Za-z]?${gap}\\d)${rioCharacter}${gap}${rioCharacter}`;

interface SecretKind {
  /** A text without this word has no secret of this kind, so most texts need one quick search. */
  readonly sign: RegExp;
  /** Patterns of secrets in text, each with the part that stays visible. */
  readonly shapes: readonly (readonly [RegExp, string])[];
}

export const credentials: SecretKind = {
  sign: /bearer|basic|eyJ|token|secret|password|authorization/i,
  shapes: [
    [/\b(bearer|basic)\s+[\w\-.~+/=]+/gi, `$1 ${mask}`],
    [/(?<![\w-])eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, mask],
    [
      /("?(?:access_?token|refresh_?token|client_?secret|password|authorization|secret|token)"?\s*[:=]\s*)("[^"]+"?|[^\s,&;}"]+)/gi,
      `$1${mask}`,
    ],
  ],
};

const namedCodes: SecretKind = {
  sign: /pac|rio|stac|porting code/i,
  shapes: [
    // A quotation mark alone hides nothing: it may end a command such as --map "2:pac=".
    // Without quotation marks a code has four characters and a digit: "a PAC: 3 letters and 6 digits" has none. No code
    // has sixty characters before its first digit.
    [/("?(?:pac|rio|stac)"?\s*[:=]\s*)("[^"]+"?|(?=[^\s,&;}"\d]{0,60}\d)[^\s,&;}"]{4,})/gi, `$1${mask}`],
    [
      /\b((?:pac|rio|stac|porting code)\s+)(?=[A-Za-z+]*\d)(?=\d*[A-Za-z+])[A-Za-z0-9+]{4,20}(?![A-Za-z0-9+-])/gi,
      `$1${mask}`,
    ],
  ],
};

const sixDigits = `\\d${times('\\d', 5)}`;
const britishCodes: SecretKind = {
  sign: new RegExp(sixDigits),
  shapes: [
    [
      new RegExp(
        `(?<![A-Za-z0-9])${noWord}${noDate}[A-Za-z]${times('[A-Za-z]', 2)}${times('\\d', 6)}(?![A-Za-z0-9])`,
        'g',
      ),
      mask,
    ],
    [new RegExp(`(?<![A-Za-z0-9])${sixDigits}(?!\\s(?:${words}))${times('[A-Za-z]', 3)}(?![A-Za-z0-9])`, 'g'), mask],
  ],
};

const frenchCodes: SecretKind = {
  sign: /\d/,
  shapes: [
    [/(?<![A-Za-z0-9-])(?=[A-Za-z]?\d)[A-Za-z0-9]{2}[A-Za-z][A-Za-z0-9]{6}[A-Za-z0-9+]{3}(?![A-Za-z0-9+])/g, mask],
    [
      new RegExp(
        `${rioStart}${gap}${rioLetter}${times(rioCharacter, 6)}${times(`(?:\\+|${rioCharacter})`, 3)}(?!-?[A-Za-z0-9+])`,
        'g',
      ),
      mask,
    ],
  ],
};

/** In this order: a code behind its name is masked with it. */
export const secretKinds = [credentials, namedCodes, britishCodes, frenchCodes] as const;

/** Digits that identify a person: 10 to 15 of a phone number, also with separators, or 19 or 20 of a SIM. */
const subscribers = /(?<![\w-])(?:\d{10,20}|[+0]\d(?:[ ()-]{0,2}\d){8,14})(?![\w-])/g;

/** The first 500 characters of a text without anything that looks like a porting code, a token or a secret. */
export const redactText = (text: string): string => {
  // Redact before the cut at 500 characters: only a complete secret is recognised.
  const visible = redactShapes(truncate(text, longestBody * 4));
  return visible.length > longestBody || text.length > longestBody * 4 ? `${truncate(visible, longestBody)}…` : visible;
};

/** A number or a SIM in the name of a file, also beside letters, `_` and `-`. A date with a time is not a number. */
const subscriberInName =
  /(?<!\d)(?:(?!20\d{10}(?:\d\d)?(?!\d))\d{10,20}|\+\d(?:[ ()._-]{0,2}\d){8,14}|(?<!\d[ ._-])0\d(?:[ ()._-]{0,2}\d){8,12})(?!\d)/g;

/** Letters and six digits in the name of a file, whatever stands beside them: `SmithKLM493817`, `KLM_493.817`. */
const codeInName = /([A-Za-z]{3,60})([ ._|/-]{0,3})(\d{3}[ ._-]?\d{3})(?!\d)/g;
/** A French code in capital letters behind small ones. */
const rioInName = /(?<=[a-z_])(?=[A-Z]?\d)[A-Z0-9]{2}[A-Z][A-Z0-9]{6}[A-Z0-9+]{3}(?![A-Z0-9+])/g;
/** Words in names of files that count something. */
const countingWords =
  /^(?:batch|contract|copy|customer|customers|export|file|import|invoice|job|list|number|numbers|order|orders|part|port|ports|project|reference|report|request|run|sim|sims|ticket|upload|week)$/i;
/** A month or a day: 202607, 260701, 010726. */
const dateInName = /^(?:20[2-3]\d(?:0[1-9]|1[0-2])|\d\d(?:0[1-9]|1[0-2])\d\d)$/;

function hideCode(found: string, word: string, _between: string, digits: string): string {
  // Three capital letters are a code, not the end of a word.
  const letters = word.slice(-3);
  const isPart = letters !== letters.toUpperCase() || word === word.toUpperCase();
  const isWord = word.length > 3 && isPart && (countingWords.test(word) || dateInName.test(digits));
  return isWord ? found : word.slice(0, -3) + mask;
}

/** The name of a file without codes and numbers, so that a key, an item and an event may have it. */
export const redactName = (name: string): string =>
  redactText(
    name.replace(subscriberInName, 'number').replace(codeInName, hideCode).replace(rioInName, mask),
  ).replaceAll(mask, 'code');

const longestPlainName = 200;

/**
 * The same for an event: EventBridge puts it into the text of a mail or of JSON, and escapes nothing. So it has no
 * character that could end a text, or begin a mention, a link or another line.
 */
export const plainName = (name: string): string =>
  truncate(redactName(name), longestPlainName).replace(/[^\p{L}\p{M}\p{N} ._/()+,&=#~'-]/gu, '_');

function redactShapes(text: string): string {
  let visible = text;
  for (const { sign, shapes } of secretKinds) {
    if (!sign.test(visible)) continue;
    for (const [shape, kept] of shapes) visible = visible.replace(shape, kept);
  }
  return visible;
}

// Numbers first: the end of a number and the next word can look like a STAC.
const redactSubscribers = (text: string): string =>
  redactShapes(truncate(text, longestLogged).replace(subscribers, '[number]'));

/**
 * A copy of any value for a log: without the values of secret keys at any depth, without secrets, phone numbers and SIM
 * serials in texts; errors become plain objects, cycles and very deep values are cut.
 */
export function redact(value: unknown): unknown {
  return copy(value, [], redactSubscribers);
}

/** A copy of any value without codes, tokens and secrets, but with phone numbers and SIM serials. `codes` are known. */
export function redactSecrets(value: unknown, codes: readonly string[] = []): unknown {
  const withoutKnown = codeMask(codes);
  return copy(value, [], (text) => redactShapes(withoutKnown(text)));
}

type RedactString = (text: string) => string;

function copy(value: unknown, ancestors: readonly object[], redactString: RedactString): unknown {
  if (typeof value === 'string') return redactString(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (ancestors.includes(value)) return '[circular]';
  if (ancestors.length >= deepest) return '[too deep]';
  const path = [...ancestors, value];
  if (Array.isArray(value)) return value.map((item) => copy(item, path, redactString));
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof Map) return entries([...value], path, redactString);
  if (value instanceof Set) return [...value].map((item) => copy(item, path, redactString));
  if (value instanceof Error) return entries(errorEntries(value), path, redactString);
  return entries(Object.entries(value), path, redactString);
}

const errorEntries = (value: Error): [string, unknown][] => [
  ['name', value.name],
  ['message', value.message],
  ['stack', value.stack],
  ...(value.cause === undefined ? [] : ([['cause', value.cause]] as [string, unknown][])),
  ...Object.entries(value).filter(([key]) => key !== 'cause'),
];

function entries(
  pairs: readonly (readonly [unknown, unknown])[],
  path: readonly object[],
  redactString: RedactString,
): unknown {
  return Object.fromEntries(
    pairs.map(([key, item]) => {
      // An object as a map key may have no text.
      const name = typeof key === 'object' ? '[object]' : String(key);
      const secret = item !== null && item !== undefined && secretKeys.has(name.toLowerCase().replace(/[^a-z]/g, ''));
      return [name, secret ? mask : copy(item, path, redactString)];
    }),
  );
}

// Removes known porting codes from a text, whatever stands beside them and between their characters (spec gap 44).

const shortest = 4;
/** Shorter digits are part of many numbers. */
const fewestDigits = 6;

interface KnownCode {
  readonly code: string;
  /** Its letters and digits. */
  readonly plain: string;
  /** Its last digit; '' where it has none. */
  readonly digit: string;
  /** It may be part of a word by chance. */
  readonly isOrdinary: boolean;
}

/** `text` without any of the codes: case and what people put between letters and digits make no difference. */
export const maskCodes = (text: string, codes: readonly string[]): string => codeMask(codes)(text);

/** `maskCodes` for many texts. */
export function codeMask(codes: readonly string[]): (text: string) => string {
  // Shorter texts are not codes, and would mask ordinary words.
  const known = [...new Set(codes.map(canonicalPac))].filter((code) => code.length >= shortest).map(knownCode);
  if (known.length === 0) return (text) => text;
  known.sort((one, other) => other.plain.length - one.plain.length);
  const fewest = known.at(-1)?.plain.length ?? 0;
  return (text) => {
    // Most cells are no longer than a code, or have none of its digits.
    if (text.length < fewest || !known.some((one) => text.includes(one.digit))) return text;
    const plain = plainOf(text);
    const found = known.filter((one) => one.plain !== '' && plain.includes(one.plain));
    return found.length === 0 ? text : maskPlaces(text, placesIn(text, plain, found));
  };
}

function knownCode(code: string): KnownCode {
  const plain = plainOf(code);
  const digit = plain.replace(/\D+/g, '').at(-1) ?? '';
  return { code, plain, digit, isOrdinary: !/\d/.test(plain) || (plain.length < fewestDigits && !/[A-Z]/.test(plain)) };
}

const plainOf = (text: string): string => text.replace(/[^A-Za-z0-9]+/g, '').toUpperCase();

type Place = readonly [start: number, end: number];

function placesIn(text: string, plain: string, codes: readonly KnownCode[]): Place[] {
  const indexes = [...text.matchAll(/[A-Za-z0-9]/g)].map(({ index }) => index);
  const places: Place[] = [];
  for (const { code, plain: wanted, isOrdinary } of codes) {
    for (let at = plain.indexOf(wanted); at >= 0; at = plain.indexOf(wanted, at + wanted.length)) {
      const [start, end] = [indexes[at] as number, (indexes[at + wanted.length - 1] as number) + 1];
      const isWord = !isAlphanumeric(text[start - 1]) && !isAlphanumeric(text[end]);
      if (!isOrdinary || (isWord && canonicalPac(text.slice(start, end)) === code)) places.push([start, end]);
    }
  }
  return places.sort(([one], [other]) => one - other);
}

const isAlphanumeric = (character = ''): boolean => /[A-Za-z0-9]/.test(character);

/** Of places that overlap, the first one counts as a whole with the others. */
function maskPlaces(text: string, places: readonly Place[]): string {
  let masked = '';
  let at = 0;
  for (const [start, end] of places) {
    if (start >= at) masked += text.slice(at, start) + mask;
    at = Math.max(at, end);
  }
  return masked + text.slice(at);
}

/** A date, and digits with one decimal sign: not a code, and of use in a message. */
export const dateLike = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$/;

/**
 * A message about a cell without the texts in quotation marks that can be porting codes of any country, for rows in
 * which a code may be in the wrong column. Suggestions stay: they come from the catalogue.
 */
export function maskQuotedCodes(message: string, column: string | null): string {
  const [said = '', ...suggestion] = message.split(/(?=: did you mean )/);
  const masked = said.replace(/"([^"]*)"/g, (whole, quoted: string) => {
    const isNumber = column === 'msisdn' && /^\+?[\d\s]+$/.test(quoted);
    // A word without a digit is not a code of any network.
    return maybePac(quoted) && /\d/.test(quoted) && !isNumber && !dateLike.test(quoted) ? `"${mask}"` : whole;
  });
  return [masked, ...suggestion].join('');
}
