// The options of every command that sends a file.
import { Option } from 'commander';
import { operations } from '#shared/operations/registry.ts';
import { readPercentage } from './read-number.ts';
import { parseDefaults, type UploadOrder } from './upload.ts';

export interface SendOptions {
  readonly operation: string;
  readonly set: readonly string[];
  readonly tolerate?: string;
}

export const operationOption = (): Option =>
  new Option('--operation <name>', 'what the rows are for').choices([...operations.keys()]).default('create-port');

export const tolerateOption = (): Option =>
  new Option('--tolerate <percent>', 'send nothing when more rows are rejected; 0 is all or nothing');

export const setOption = (): Option =>
  new Option('--set <column=value>', 'a value for a whole column that the file lacks; may be given again')
    .default([] as string[], 'none')
    .argParser((value: string, given: readonly string[]) => [...given, value]);

/** @throws Failure (usage) for an option that cannot be read */
export const orderFor = (file: string, planOnly: boolean, { operation, set, tolerate }: SendOptions): UploadOrder => ({
  file,
  operation,
  planOnly,
  tolerate: tolerate === undefined ? undefined : readPercentage('--tolerate', tolerate),
  defaults: parseDefaults(set),
});
