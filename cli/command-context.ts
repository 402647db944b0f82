// How a command of the program is given its session and gives back its exit code.
import type { ExitCode } from './exit-code.ts';
import type { Session } from './session.ts';

/** What a command does: its session, then its arguments and its options, as its declaration makes commander hand them over. */
export type Act<Given extends readonly unknown[]> = (session: Session, ...given: Given) => Promise<ExitCode>;

export interface CommandContext {
  /** Wraps an act for commander's `.action()`. */
  action<Given extends readonly unknown[]>(act: Act<Given>): (...words: unknown[]) => Promise<void>;
}
