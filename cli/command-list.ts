// Every command by the task it belongs to. A command is loaded only when it is called, because loading all of them
// takes longer than most of them run.
import type { ConfigureCommand } from './context/command.ts';
import { commandNames } from './context/next-command.ts';

type Entry = readonly [name: string, summary: string, load: () => Promise<{ readonly configure: ConfigureCommand }>];

export const commandGroups: Readonly<Record<string, readonly Entry[]>> = {
  'Try it on this machine:': [
    [commandNames.demo, 'import an example file on a simulator, in a minute', () => import('./commands/demo.ts')],
    [commandNames.start, 'run the pipeline with a simulator on this machine', () => import('./commands/start.ts')],
  ],
  'Prepare a file:': [
    [commandNames.template, 'print a CSV to fill in, with two example rows', () => import('./commands/template.ts')],
    [
      commandNames.referenceData,
      'list networks, tariffs, bolt-ons, services, orders',
      () => import('./commands/reference-data.ts'),
    ],
    [commandNames.validate, 'validate a file; nothing is sent', () => import('./commands/validate.ts')],
    [
      commandNames.uploadUrl,
      'create a link to upload a file without AWS access',
      () => import('./commands/upload-url.ts'),
    ],
  ],
  'Send it:': [
    [commandNames.import, 'import a file: send its valid rows to the service', () => import('./commands/import.ts')],
    [commandNames.approve, 'send an import that waits for approval', () => import('./commands/approve.ts')],
    [commandNames.reschedule, 'move the ports of an import to another date', () => import('./commands/reschedule.ts')],
    [commandNames.stop, 'stop an import: send nothing more of it', () => import('./commands/stop.ts')],
    [commandNames.resume, 'send what a stopped import has not sent', () => import('./commands/resume.ts')],
    [commandNames.adopt, 'follow a port that was made elsewhere', () => import('./commands/adopt.ts')],
    [commandNames.undo, 'end an import and plan the cancellation of its ports', () => import('./commands/undo.ts')],
  ],
  'Follow it:': [
    [commandNames.imports, 'list the imports, newest first', () => import('./commands/imports.ts')],
    [commandNames.status, 'show the progress of an import, or its plan', () => import('./commands/status.ts')],
    [commandNames.results, 'show the result of every row of an import', () => import('./commands/results.ts')],
    [commandNames.number, 'show what happened to a number', () => import('./commands/number.ts')],
    [commandNames.numbers, 'show what happened to each number of a file', () => import('./commands/numbers.ts')],
    [commandNames.simServices, 'show the services of each SIM of a file', () => import('./commands/sim-services.ts')],
    [commandNames.port, 'show a port: its rows, what blocks it, its history', () => import('./commands/port.ts')],
    [commandNames.ports, 'list every port of the account, and who made it', () => import('./commands/ports.ts')],
    [commandNames.audit, 'show who did what with an import', () => import('./commands/audit.ts')],
    [commandNames.query, 'ask a question of the results of all imports', () => import('./commands/query.ts')],
  ],
  'Solve problems:': [
    [commandNames.actions, 'list the required actions, the most urgent first', () => import('./commands/actions.ts')],
    [commandNames.rejected, 'show the rows that were not sent, and why', () => import('./commands/rejected.ts')],
    [
      commandNames.corrections,
      'show the rows that were declined or need a new PAC',
      () => import('./commands/corrections.ts'),
    ],
    [commandNames.resolve, 'resolve a request with an unknown outcome', () => import('./commands/resolve.ts')],
    [commandNames.mismatches, 'show SIMs with other services than requested', () => import('./commands/mismatches.ts')],
  ],
  'Operate the pipeline:': [
    [commandNames.doctor, 'check the service and the stack; changes nothing', () => import('./commands/doctor.ts')],
    [commandNames.sync, 'read every due port from the service now', () => import('./commands/sync.ts')],
    [commandNames.redrive, 'show or redrive the dead-lettered messages', () => import('./commands/redrive.ts')],
    [commandNames.forget, 'erase what is stored about a number', () => import('./commands/forget.ts')],
    [commandNames.events, 'show the events that the emulator published', () => import('./commands/events.ts')],
  ],
};
