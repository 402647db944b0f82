// Where a text mentions a number, however the number is written: national or international, with separators.

export interface Mentions {
  readonly isIn: (text: string) => boolean;
  /** The text without the number. */
  readonly removeFrom: (text: string) => string;
}

const separators = '[\\s().\\-/\\u00a0\\u2010-\\u2015]{0,3}';
const placeholder = '[number]';

/** `number` has E.164 digits; `callingCode` is that of the country whose national form counts as well. */
export function mentionsOf(number: string, callingCode: string): Mentions {
  const isOfCountry = number.startsWith(callingCode);
  const digits = [...(isOfCountry ? number.slice(callingCode.length) : number)].join(separators);
  const code = [...callingCode].join(separators);
  const international = `(?:(?:\\+|00)${separators})?${code}${separators}(?:\\(?0\\)?)?${separators}`;
  const prefix = isOfCountry ? `(?:${international}|0${separators})?` : '\\+?';
  const pattern = new RegExp(`(?<!\\d)${prefix}${digits}(?!\\d)`, 'g');
  return {
    isIn: (text) => text.search(pattern) >= 0,
    removeFrom: (text) => text.replace(pattern, placeholder),
  };
}

/** A copy of an item: texts without the number, and lists without the entries about it. */
export function withoutMentions(value: unknown, mentions: Mentions): unknown {
  if (typeof value === 'string') return mentions.removeFrom(value);
  if (Array.isArray(value)) {
    const others = value.filter((entry) => typeof entry !== 'object' || !mentions.isIn(JSON.stringify(entry)));
    return others.map((entry) => withoutMentions(entry, mentions));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutMentions(inner, mentions)]));
}

/** The records of a CSV or of lines of JSON, without those that mention the number. A record may have line breaks. */
export function recordsWithoutMentions(text: string, mentions: Mentions): string {
  const records = text.match(/(?:"(?:[^"\\]|\\.|"")*"|[^"\r\n])*(?:\r\n|[\r\n]|$)/g) ?? [];
  return records.filter((record) => !mentions.isIn(record)).join('');
}
