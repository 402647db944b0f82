// Reads texts by the codes of their characters: for files of millions of rows, an expression for each cell is slow.
import type { Finding } from './issue.ts';

export const zero = 0x30;
const nine = 0x39;
const openingBracket = 0x28;
const closingBracket = 0x29;
const letterA = 0x41;
const letterZ = 0x5a;

const isDigit = (code: number): boolean => code >= zero && code <= nine;

/** Whether a text has this form: `A` is a capital letter, `9` is a digit, and other characters are themselves. */
export function hasForm(text: string, form: string): boolean {
  if (text.length !== form.length) return false;
  for (let at = 0; at < form.length; at += 1) if (!fits(text.charCodeAt(at), form.charCodeAt(at))) return false;
  return true;
}

function fits(code: number, form: number): boolean {
  if (form === nine) return isDigit(code);
  return form === letterA ? code >= letterA && code <= letterZ : code === form;
}

/** The number that `count` digits of a text are. */
export function numberAt(text: string, at: number, count: number): number {
  let number = 0;
  for (let place = at; place < at + count; place += 1) number = number * 10 + text.charCodeAt(place) - zero;
  return number;
}

// The insides of character classes, for cells whose value has none of these characters.

/** Kinds of hyphens, dashes and minus signs beyond ASCII. */
export const dashes = '\\u2010-\\u2015\\u2212';
/**
 * Nobody sees them: they come along when a number is copied from a page, a message or a list of contacts. The override
 * that shows digits from right to left is not one of them.
 */
export const unseen = '\\u00ad\\u200b-\\u200f\\u202a-\\u202d\\u2060\\u2066-\\u2069\\ufeff';

/** By the code of a character: 1 for a separator. */
export type Separators = Uint8Array;

/** The table of these characters, which are ASCII. */
export const separatorsOf = (characters: string): Separators =>
  Uint8Array.from({ length: 128 }, (_, code) => (characters.includes(String.fromCharCode(code)) ? 1 : 0));

/**
 * The digits of a text from a place on, without the separators between them; undefined if it has another character, or
 * `(0)`, which is not always a digit.
 */
export function digitsOf(text: string, separators: Separators, from = 0): string | undefined {
  let digits = '';
  let start = from;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) continue;
    if (separators[code] !== 1 || isBracketedZero(text, at)) return undefined;
    digits += text.slice(start, at);
    start = at + 1;
  }
  return start === 0 ? text : digits + text.slice(start);
}

const isBracketedZero = (text: string, at: number): boolean =>
  text.charCodeAt(at) === openingBracket &&
  text.charCodeAt(at + 1) === zero &&
  text.charCodeAt(at + 2) === closingBracket;

// What a spreadsheet program makes of a long number. It keeps 15 digits and replaces the others by zeros, and saves or
// shows a number with an exponent. This is the judgement for numbers, SIMs, and every text that is sent as it is.

/** The digits of a number that a spreadsheet program keeps. */
const spreadsheetDigits = 15;
const exponent = /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i;

/** `4.47E+11`: its last digits are lost. */
export const isShortened = (text: string): boolean => exponent.test(text);

/** Whether all digits behind those that a spreadsheet program keeps are zeros. */
export function isRounded(digits: string): boolean {
  for (let at = spreadsheetDigits; at < digits.length; at += 1) if (digits.charCodeAt(at) !== zero) return false;
  return digits.length > spreadsheetDigits;
}

/** `12E4` may be a name; `4.5E+11` is none. */
const certainExponent = /[.,+-]/;
const digitsOnly = /^\d+$/;

/**
 * What happened to a number in a text that is sent as it is: an error for one that has lost digits, a warning for one
 * that may have lost them. undefined: nothing.
 */
export function findDamage(text: string): Finding | undefined {
  if (isShortened(text) && certainExponent.test(text)) {
    const message = `"${text}" is a number that a spreadsheet program shortened, so digits of it are lost`;
    return damaged('error', `${message}. Format the column as Text, and enter or export it again`);
  }
  if (!digitsOnly.test(text) || !isRounded(text)) return undefined;
  return damaged('warning', `${text} ends in zeros, which suggests that a spreadsheet program removed its digits`);
}

/** Hex that has only decimal digits may have been a number in a spreadsheet, which has no zeros at its start. */
export const findLostZeros = (hex: string): Finding | undefined =>
  /^[1-9]\d*$/.test(hex)
    ? damaged('warning', `${hex} has only decimal digits: a spreadsheet program may have removed zeros at its start`)
    : undefined;

const damaged = (severity: 'error' | 'warning', message: string): Finding => {
  const wait = severity === 'error' ? '' : '. Compare it with its source: nothing is sent until the plan is approved';
  return { code: 'CELL_NUMBER_DAMAGED', severity, message: message + wait };
};

// The result of parsing one cell: a value, perhaps with a finding, or the finding that makes the cell invalid.

export interface Valid<T> {
  readonly ok: true;
  readonly value: T;
  /** A warning or a notice; never an error. */
  readonly finding?: Finding;
}

export interface Invalid {
  readonly ok: false;
  readonly finding: Finding;
}

export type Parsed<T> = Valid<T> | Invalid;

export const valid = <T>(value: T, finding?: Finding): Valid<T> =>
  finding === undefined ? { ok: true, value } : { ok: true, value, finding };

export const invalid = (finding: Finding): Invalid => ({ ok: false, finding });
