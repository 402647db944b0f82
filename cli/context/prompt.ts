// Questions to a person at a terminal.
import type { Readable } from 'node:stream';
import type { OutputStream } from '../output/terminal.ts';

export type InputStream = Readable & { readonly isTTY?: boolean };

interface PromptStreams {
  readonly stdin?: InputStream | undefined;
  readonly stderr: OutputStream;
  readonly signal: AbortSignal;
}

export interface Prompt {
  /** The answer without surrounding spaces. */
  ask(question: string): Promise<string>;
}

/** undefined when no person can answer: input or output is not a terminal. */
export function createPrompt({ stdin, stderr, signal }: PromptStreams): Prompt | undefined {
  if (stderr.isTTY !== true || stdin?.isTTY !== true) return undefined;
  return {
    ask: async (question) => {
      const { createInterface } = await import('node:readline/promises');
      // The terminal itself edits the line.
      const reader = createInterface({ input: stdin, output: stderr, terminal: false });
      try {
        return (await reader.question(question, { signal })).trim();
      } finally {
        reader.close();
      }
    },
  };
}
