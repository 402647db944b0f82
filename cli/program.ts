// The command line: which commands there are, and how one call of it ends.
import { Command, CommanderError } from 'commander';
import type { Act, CommandContext } from './command-context.ts';
import { approveCommand } from './commands/approve.ts';
import { attentionCommand } from './commands/attention.ts';
import { correctionsCommand } from './commands/corrections.ts';
import { decideCommand } from './commands/decide.ts';
import { demoCommand } from './commands/demo.ts';
import { driftCommand } from './commands/drift.ts';
import { eventsCommand } from './commands/events.ts';
import { importCommand } from './commands/import.ts';
import { importsCommand } from './commands/imports.ts';
import { numberCommand } from './commands/number.ts';
import { portCommand } from './commands/port.ts';
import { redriveCommand } from './commands/redrive.ts';
import { rejectedCommand } from './commands/rejected.ts';
import { rescheduleCommand } from './commands/reschedule.ts';
import { resultsCommand } from './commands/results.ts';
import { startCommand } from './commands/start.ts';
import { statusCommand } from './commands/status.ts';
import { syncCommand } from './commands/sync.ts';
import { templateCommand } from './commands/template.ts';
import { uploadUrlCommand } from './commands/upload-url.ts';
import { validateCommand } from './commands/validate.ts';
import { type ExitCode, exitCodes } from './exit-code.ts';
import { explain } from './explain.ts';
import { type GlobalOptions, openSession, type Surroundings } from './session.ts';

/** In the order of a first day with it: try, run, check, send, look, mend. */
const commands: readonly ((context: CommandContext) => Command)[] = [
  demoCommand,
  startCommand,
  templateCommand,
  validateCommand,
  importCommand,
  approveCommand,
  importsCommand,
  statusCommand,
  resultsCommand,
  rejectedCommand,
  attentionCommand,
  decideCommand,
  correctionsCommand,
  rescheduleCommand,
  driftCommand,
  numberCommand,
  portCommand,
  eventsCommand,
  syncCommand,
  redriveCommand,
  uploadUrlCommand,
];

/**
 * Runs one command line (without the program's own name) and answers its exit code. Never throws: what goes wrong is one
 * clear line on standard error, and what to do about it.
 */
export async function runCommandLine(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.done;
  const context: CommandContext = {
    action:
      <Given extends readonly unknown[]>(act: Act<Given>) =>
      async (...words: unknown[]) => {
        // commander hands over the arguments, then the options, then the command itself
        const command = words.at(-1) as Command;
        const session = openSession(surroundings, command.optsWithGlobals<GlobalOptions>());
        exitCode = await act(session, ...(words.slice(0, -1) as unknown as Given));
      },
  };
  try {
    await buildProgram(context, surroundings).parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    const { lines, exitCode: code } = explain(thrown, surroundings);
    for (const line of lines) surroundings.stderr.write(`${line}\n`);
    return code;
  }
}

function buildProgram(context: CommandContext, { stdout, stderr }: Surroundings): Command {
  const program = new Command('simporter')
    .description('Imports mobile numbers and SIMs in bulk: drop a CSV, follow every number to Complete.')
    .option('--json', 'answer in JSON, in the shapes of docs/cli.md')
    .option('--stack <name>', 'work with a deployed CloudFormation stack, by your usual AWS credentials')
    .option('--directory <folder>', 'where a local engine keeps its data', '.local')
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => stdout.columns ?? 100,
      getErrHelpWidth: () => stderr.columns ?? 100,
    })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(simporter --help shows every command)')
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText('after', '\nExit codes: 0 fine, 1 rows rejected or something needs attention, 2 usage, 3 failure.');
  for (const command of commands) program.addCommand(command(context).copyInheritedSettings(program));
  return program;
}
