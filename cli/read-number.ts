// Numbers that people give as options.
import { usageFailure } from './failure.ts';

/** @throws Failure (usage) unless the text is a whole number from 1 */
export function readCount(option: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw usageFailure(`${option} "${text}" is not a whole number from 1.`);
}

/** @throws Failure (usage) unless the text is a number from 0 to 100, in digits */
export function readPercentage(option: string, text: string): number {
  const value = /^\d{1,3}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value <= 100) return value;
  throw usageFailure(`${option} "${text}" is not a percentage from 0 to 100.`);
}

/** @throws Failure (usage) unless the text is a number above 0 */
export function readSpeed(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw usageFailure(`--speed "${text}" is not a number above 0.`);
}
