// Every command by the task it belongs to. A command is loaded only when it is called, because loading all of them
// takes longer than most of them run.
import type { ConfigureCommand } from './context/command.ts';
import { commandNames } from './context/next-command.ts';

type Entry = readonly [name: string, summary: string, load: () => Promise<ConfigureCommand>];

export const commandGroups: Readonly<Record<string, readonly Entry[]>> = {
  'Try it on this machine:': [
    [
      commandNames.demo,
      'import an example file on a simulator, in a minute',
      async () => (await import('./commands/demo.ts')).configure,
    ],
    [
      commandNames.start,
      'run the pipeline with a simulator on this machine',
      async () => (await import('./commands/start.ts')).configure,
    ],
  ],
  'Prepare a file:': [
    [
      commandNames.template,
      'print a CSV to fill in, with two example rows',
      async () => (await import('./commands/template.ts')).configure,
    ],
    [
      commandNames.referenceData,
      'list networks, tariffs, bolt-ons, services, orders',
      async () => (await import('./commands/reference-data.ts')).configure,
    ],
    [
      commandNames.validate,
      'validate a file; nothing is sent',
      async () => (await import('./commands/import.ts')).configureValidate,
    ],
    [
      commandNames.uploadUrl,
      'create a link to upload a file without AWS access',
      async () => (await import('./commands/upload-url.ts')).configure,
    ],
  ],
  'Send it:': [
    [
      commandNames.import,
      'import a file: send its valid rows to the service',
      async () => (await import('./commands/import.ts')).configureImport,
    ],
    [
      commandNames.approve,
      'send an import that waits for approval',
      async () => (await import('./commands/approve.ts')).configure,
    ],
    [
      commandNames.reschedule,
      'move the ports of an import to another date',
      async () => (await import('./commands/reschedule.ts')).configure,
    ],
    [
      commandNames.stop,
      'stop an import: send nothing more of it',
      async () => (await import('./commands/stop.ts')).configureStop,
    ],
    [
      commandNames.resume,
      'send what a stopped import has not sent',
      async () => (await import('./commands/stop.ts')).configureResume,
    ],
    [
      commandNames.adopt,
      'follow a port that was made elsewhere',
      async () => (await import('./commands/ports.ts')).configureAdopt,
    ],
    [
      commandNames.undo,
      'end an import and plan the cancellation of its ports',
      async () => (await import('./commands/stop.ts')).configureUndo,
    ],
  ],
  'Follow it:': [
    [
      commandNames.imports,
      'list the imports, newest first',
      async () => (await import('./commands/imports.ts')).configureImports,
    ],
    [
      commandNames.status,
      'show the progress of an import, or its plan',
      async () => (await import('./commands/imports.ts')).configureStatus,
    ],
    [
      commandNames.results,
      'show the result of every row of an import',
      async () => (await import('./commands/results.ts')).configure,
    ],
    [
      commandNames.number,
      'show what happened to a number, or those of a file',
      async () => (await import('./commands/number.ts')).configureNumber,
    ],
    [
      commandNames.numbers,
      'as number, for a file',
      async () => (await import('./commands/number.ts')).configureNumbers,
    ],
    [
      commandNames.simServices,
      'show the services of each SIM of a file',
      async () => (await import('./commands/sim-services.ts')).configure,
    ],
    [
      commandNames.port,
      'show a port: its rows, what blocks it, its history',
      async () => (await import('./commands/ports.ts')).configurePort,
    ],
    [
      commandNames.ports,
      'list every port of the account, and who made it',
      async () => (await import('./commands/ports.ts')).configurePorts,
    ],
    [
      commandNames.audit,
      'show who did what with an import',
      async () => (await import('./commands/imports.ts')).configureAudit,
    ],
    [
      commandNames.query,
      'query the results of all imports with SQL',
      async () => (await import('./commands/query.ts')).configure,
    ],
  ],
  'Solve problems:': [
    [
      commandNames.actions,
      'list the required actions, the most urgent first',
      async () => (await import('./commands/actions.ts')).configureActions,
    ],
    [
      commandNames.corrections,
      'show the rows to correct, or write them as a file',
      async () => (await import('./commands/rows-to-fix.ts')).configureCorrections,
    ],
    [
      commandNames.rejected,
      'as corrections --kind rejected',
      async () => (await import('./commands/rows-to-fix.ts')).configureRejected,
    ],
    [
      commandNames.resolve,
      'resolve a request with an unknown outcome',
      async () => (await import('./commands/actions.ts')).configureResolve,
    ],
    [
      commandNames.mismatches,
      'as corrections --kind services',
      async () => (await import('./commands/rows-to-fix.ts')).configureMismatches,
    ],
  ],
  'Operate the pipeline:': [
    [
      commandNames.doctor,
      'check the service and the stack; changes nothing',
      async () => (await import('./commands/sync.ts')).configureDoctor,
    ],
    [
      commandNames.sync,
      'read every due port from the service now',
      async () => (await import('./commands/sync.ts')).configureSync,
    ],
    [
      commandNames.redrive,
      'show or redrive the dead-lettered messages',
      async () => (await import('./commands/sync.ts')).configureRedrive,
    ],
    [
      commandNames.forget,
      'erase what is stored about a number',
      async () => (await import('./commands/forget.ts')).configure,
    ],
    [
      commandNames.events,
      'show the events that the emulator published',
      async () => (await import('./commands/events.ts')).configure,
    ],
  ],
};
