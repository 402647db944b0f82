// How this copy of simporter is installed: a clone of the repository, or the published package. The import
// `#installation` is the one or the other, as package.json declares.
import type { CdkApp, Project } from '#local/emulator-options.ts';
import type { Template } from '#local/template/template.ts';

export interface Installation {
  /** What a user types before the name of a command. */
  readonly command: string;
  /** What a user types to run the pipeline on this machine. */
  readonly startCommand: string;
  /** The folder with the example files. */
  readonly examples: string;
  /** Resolves to the folder with the built files of the console. */
  readonly buildConsole: () => Promise<string>;
  /** The program of the porting simulator. */
  readonly simulatorProgram: string;
  readonly project: Project;
  /** The stacks of the pipeline for the local emulator. */
  readonly readStacks: () => Promise<CdkApp | readonly Template[]>;
}
