// The names of the commands, and the commands that messages suggest: each can be copied from the terminal and works.
import { AsyncLocalStorage } from 'node:async_hooks';
import { installation } from '#installation';
import { plain, shellQuoted } from '../output/text.ts';
import { type CliContext, usualDirectory } from './cli-context.ts';

/** By their keys in code. To rename a command, change its name here. */
export const commandNames = {
  demo: 'demo',
  start: 'start',
  doctor: 'doctor',
  template: 'template',
  referenceData: 'reference-data',
  validate: 'validate',
  uploadUrl: 'upload-url',
  import: 'import',
  approve: 'approve',
  reschedule: 'reschedule',
  stop: 'stop',
  resume: 'resume',
  undo: 'undo',
  imports: 'imports',
  status: 'status',
  results: 'results',
  number: 'number',
  numbers: 'numbers',
  simServices: 'sim-services',
  port: 'port',
  ports: 'ports',
  adopt: 'adopt',
  audit: 'audit',
  query: 'query',
  actions: 'actions',
  rejected: 'rejected',
  corrections: 'corrections',
  resolve: 'resolve',
  mismatches: 'mismatches',
  sync: 'sync',
  redrive: 'redrive',
  forget: 'forget',
  events: 'events',
} as const;
export type CommandKey = keyof typeof commandNames;

/** What the user named for the command that runs now. */
const targetOptions = new AsyncLocalStorage<string>();

/** Commands that `action` suggests work on the stack or the folder that the user named. */
export const forTarget = <Result>(
  { options: { stack, directory }, explicitStack }: CliContext,
  action: () => Promise<Result>,
): Promise<Result> => {
  const folder = directory === usualDirectory ? '' : ` --directory ${shellQuoted(directory)}`;
  return targetOptions.run(explicitStack && stack !== undefined ? ` --stack ${shellQuoted(stack)}` : folder, action);
};

/** `status` with `abc` becomes `npm run simporter -- status abc`, or `npx simporter status abc`. Quotes each word. */
export const nextCommand = (command: CommandKey, ...words: readonly string[]): string =>
  [installation.command, commandNames[command], ...words.map((word) => shellQuoted(plain(word)))].join(' ') +
  (targetOptions.getStore() ?? '');
