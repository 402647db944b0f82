// The options of every command that uploads a file.
import { Option } from 'commander';
import { operations } from '#shared/operations/registry.ts';
import { parseDefaults, type UploadRequest } from '../imports/upload.ts';
import { parsePercentage } from './parse-number.ts';

export interface UploadOptions {
  readonly operation: string;
  readonly set: readonly string[];
  readonly tolerate?: string;
  readonly planOnly?: boolean;
}

export const createOperationOption = (): Option =>
  new Option('--operation <name>', 'what to do with the rows').choices([...operations.keys()]).default('create-port');

export const createTolerateOption = (): Option =>
  new Option('--tolerate <percent>', 'send nothing when more rows are rejected; 0 is all or nothing');

export const createSetOption = (): Option =>
  new Option('--set <column=value>', 'a value for a whole column that the file lacks; may be repeated')
    .default([] as string[], 'none')
    .argParser((value: string, earlier: readonly string[]) => [...earlier, value]);

/** The only way to send rows to a simulator that no other command started. */
export const createSimulateOption = (): Option =>
  new Option('--simulate', 'use a simulator that ends with the command; no number is ported');

/** @throws CliError (usage) for an option that cannot be read */
export const readUploadRequest = (
  file: string,
  { operation, set, tolerate, planOnly = false }: UploadOptions,
): UploadRequest => ({
  file,
  operation,
  planOnly,
  tolerate: tolerate === undefined ? undefined : parsePercentage('--tolerate', tolerate),
  defaults: parseDefaults(set),
});
