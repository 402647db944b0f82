// The options and arguments that several commands share, and how they are read.
import { type Command, Option } from 'commander';
import type { ActorOptions } from '#shared/import/approval.ts';
import { parseCalendarDate } from '#shared/row/calendar-date.ts';
import type { CliContext } from '../context/cli-context.ts';
import { usageError } from '../context/cli-error.ts';

export interface FileOptions {
  readonly csv?: string;
  readonly xlsx?: string;
}

export const writesFile = ({ csv, xlsx }: FileOptions): boolean => csv !== undefined || xlsx !== undefined;

/** @param description of the CSV */
export const addFileOptions = (command: Command, description: string): Command =>
  command
    .option('--csv <file>', `${description}; - is standard output`)
    .addOption(new Option('--xlsx <file>', 'write the same as a workbook of text cells').conflicts('csv'));

export const importArgument = ['<import>', 'its id, the beginning of its id, or the name of the file'] as const;

export const becauseOption = ['--because <text>', 'the reason, which is recorded and shown'] as const;

export const readActor = (
  { env: { USER, USERNAME } }: CliContext,
  because: string | undefined,
): ActorOptions & { by: string } => ({
  by: USER ?? USERNAME ?? 'unknown',
  ...(because === undefined ? {} : { because }),
});

/** A number in digits, such as 20 or 0.5. @throws CliError (usage) for any other text */
function parseNumber(option: string, text: string, what: string, fits: (value: number) => boolean, advice: string) {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (fits(value)) return value;
  throw usageError(`${option} "${text}" is not ${what}.`, advice);
}

/** @throws CliError (usage) unless the text is a whole number from 1 */
export const parseCount = (option: string, text: string): number => {
  const fits = (value: number): boolean => Number.isSafeInteger(value) && value >= 1;
  return parseNumber(option, text, 'a whole number from 1', fits, `For example: ${option} 20`);
};

/** @throws CliError (usage) unless the text is a number from 0 to 100 */
export const parsePercentage = (option: string, text: string): number =>
  parseNumber(option, text, 'a percentage from 0 to 100', (value) => value <= 100, `For example: ${option} 5`);

/** @throws CliError (usage) unless the text is a number above 0 */
export const parseSpeed = (text: string): number => {
  const fits = (value: number): boolean => Number.isFinite(value) && value > 0;
  return parseNumber('--speed', text, 'a number above 0', fits, 'For example, a day a minute: --speed 1440');
};

/** `2026-07-31`, written as in a file. @throws CliError (usage) for a text that is no day */
export function parseDay(option: string, text: string, example = `${option} 2026-07-31`): string {
  const parsed = parseCalendarDate(text);
  if (parsed.ok) return parsed.value;
  throw usageError(`${option} "${text}" is not a day: ${parsed.finding.message}.`, `For example: ${example}`);
}
