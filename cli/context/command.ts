// How a command declares itself, and how its action runs.

import type { Command } from 'commander';
import type { CliContext } from './cli-context.ts';
import type { ExitCode } from './exit-code.ts';

/** Receives the arguments and then the options, as commander passes them. */
export type CommandAction<Values extends readonly unknown[]> = (
  context: CliContext,
  ...values: Values
) => Promise<ExitCode>;

/** Wraps an action for commander's `.action()`. */
export type RunAction = <Values extends readonly unknown[]>(
  action: CommandAction<Values>,
) => (...words: unknown[]) => Promise<void>;

/** Adds arguments, options and the action to an empty command. */
export type ConfigureCommand = (command: Command, run: RunAction) => Command;
