// How a command declares itself, how its action runs, and its exit codes.

import type { Command } from 'commander';
import type { Session } from '../target/target.ts';
import type { CliContext } from './cli-context.ts';

/** Receives the arguments and then the options, as commander passes them. */
type CommandAction<On, Values extends readonly unknown[]> = (on: On, ...values: Values) => Promise<ExitCode>;

/** Wraps an action for commander's `.action()`. */
type RunAction<On> = <Values extends readonly unknown[]>(
  action: CommandAction<On, Values>,
) => (...words: unknown[]) => Promise<void>;

export interface Actions {
  readonly run: RunAction<CliContext>;
  /** Opens the target that the options name. @throws CliError when there is none */
  readonly onTarget: RunAction<Session>;
}

/** Adds arguments, options and the action to an empty command. */
export type ConfigureCommand = (command: Command, actions: Actions) => Command;

/**
 * done: everything is fine. actionRequired: the command worked, and rows were rejected or an action is required.
 * usage: the command line is wrong. failure: the command failed. interrupted: Ctrl-C, the number that shells use.
 */
export const exitCodes = { done: 0, actionRequired: 1, usage: 2, failure: 3, interrupted: 130 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
