// The names of the commands, and the commands that messages suggest: each can be copied from the terminal and works.

import { installation } from '#installation';
/** By their keys in code. To rename a command, change its name here. */
export const commandNames = {
  demo: 'demo',
  start: 'start',
  template: 'template',
  referenceData: 'reference-data',
  validate: 'validate',
  uploadUrl: 'upload-url',
  import: 'import',
  approve: 'approve',
  reschedule: 'reschedule',
  imports: 'imports',
  status: 'status',
  results: 'results',
  number: 'number',
  port: 'port',
  audit: 'audit',
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

/** `status` with `abc` becomes `npm run simporter -- status abc`, or `npx simporter status abc`. */
export const nextCommand = (command: CommandKey, words = ''): string =>
  `${installation.command} ${commandNames[command]} ${words}`.trimEnd();
