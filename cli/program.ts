// The command line: global options, the list of commands, and how a call ends.
import { Command, CommanderError } from 'commander';
import packageJson from '#package.json' with { type: 'json' };
import { commandGroups } from './command-list.ts';
import { type CliProcess, createContext, type GlobalOptions, usualDirectory } from './context/cli-context.ts';
import { type Actions, type ExitCode, exitCodes } from './context/command.ts';
import { formatError, formatUsageError } from './context/format-error.ts';
import { forTarget } from './context/next-command.ts';

/** Runs one command line, without the name of the program. Never throws: an error becomes text and an exit code. */
export async function runCommandLine(words: readonly string[], cliProcess: CliProcess): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.done;
  const json = words.includes('--json');
  const run: Actions['run'] =
    (action) =>
    async (...values: unknown[]) => {
      // commander passes the arguments, then the options, then the command itself.
      const command = values.at(-1) as Command;
      const context = createContext(cliProcess, command.optsWithGlobals<GlobalOptions>());
      exitCode = await forTarget(context, () => action(context, ...(values.slice(0, -1) as never)));
    };
  const onTarget: Actions['onTarget'] = (action) =>
    run(async (context, ...values) => {
      const { withTarget } = await import('./target/with-target.ts');
      return withTarget(context, (session) => action(session, ...(values as never)));
    });
  try {
    const wordsWithHelp = words[0] === 'help' ? [...words.slice(1), '--help'] : words;
    const program = await buildProgram(wordsWithHelp, json, { run, onTarget }, cliProcess);
    await program.parseAsync(wordsWithHelp, { from: 'user' });
    return exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError) {
      if (thrown.exitCode === 0) return exitCodes.done;
      if (json) cliProcess.stderr.write(`${formatUsageError(thrown.message)}\n`);
      return exitCodes.usage;
    }
    const formatted = formatError(thrown, cliProcess, { json });
    for (const line of formatted.lines) cliProcess.stderr.write(`${line}\n`);
    return formatted.exitCode;
  }
}

const globalOptions = (program: Command): Command =>
  program
    .option('--json', 'answer in JSON, as docs/reference/cli.md describes')
    .option('--stack <name>', 'use a deployed stack (or set SIMPORTER_STACK), with your usual AWS credentials')
    .option('--directory <folder>', 'where the local emulator keeps its data', usualDirectory);

async function buildProgram(
  words: readonly string[],
  json: boolean,
  actions: Actions,
  { stdout, stderr }: CliProcess,
): Promise<Command> {
  const program = globalOptions(new Command('simporter'))
    .description(
      'Import mobile number ports and SIM changes from a CSV or a workbook, and follow every number to completion.',
    )
    .version(packageJson.version, '--version', 'print the version')
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => (json ? undefined : stderr.write(text)),
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stderr.columns ?? 80,
    })
    .configureHelp({ showGlobalOptions: true })
    .helpCommand(false)
    .showHelpAfterError('(simporter --help lists every command)')
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText('after', '\nExit codes: 0 fine, 1 rows rejected or action required, 2 usage, 3 failure.');
  const [called] = globalOptions(new Command()).parseOptions([...words]).operands;
  for (const [group, entries] of Object.entries(commandGroups)) {
    for (const [name, summary, load] of entries) {
      const command = program.command(name).description(summary).helpGroup(group);
      if (called === name) (await load())(command, actions);
    }
  }
  return program;
}
