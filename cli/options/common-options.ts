// The options and arguments that several commands share, and how they are read.
import { type Command, Option } from 'commander';
import type { ActorOptions } from '#shared/import/approval.ts';
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
    .option('--csv <file>', description)
    .addOption(new Option('--xlsx <file>', 'the same as a workbook: every cell is a text').conflicts('csv'));

export const importArgument = ['<import>', 'its id, the beginning of its id, or the name of the file'] as const;

export const becauseOption = ['--because <text>', 'the reason: it is recorded and shown'] as const;

export const readActor = (
  { env: { USER, USERNAME } }: CliContext,
  because: string | undefined,
): ActorOptions & { by: string } => ({
  by: USER ?? USERNAME ?? 'unknown',
  ...(because === undefined ? {} : { because }),
});

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
