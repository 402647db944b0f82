// Numbers in options.
import { usageError } from '../context/cli-error.ts';

/** @throws CliError (usage) unless the text is a whole number from 1 */
export function parseCount(option: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw usageError(`${option} "${text}" is not a whole number from 1.`, `For example: ${option} 20`);
}

/** @throws CliError (usage) unless the text is a number from 0 to 100, in digits */
export function parsePercentage(option: string, text: string): number {
  const value = /^\d{1,3}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value <= 100) return value;
  throw usageError(`${option} "${text}" is not a percentage from 0 to 100.`, `For example: ${option} 5`);
}

/** @throws CliError (usage) unless the text is a number above 0 */
export function parseSpeed(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw usageError(`--speed "${text}" is not a number above 0.`, 'For example, a day a minute: --speed 1440');
}
