// The project whose stacks and functions the emulator runs.

export interface Project {
  /** The folder that the other paths are relative to. */
  readonly root: string;
  /** The template metadata of a function that names its source file. */
  readonly entryMetadata: string;
  /** The files and folders that decide what the app and the functions are: when one changes, both are built again. */
  readonly sources: readonly string[];
  /** The source files of functions that the app is expected to have: they are bundled while it makes its templates. */
  readonly entries: readonly string[];
  /** Bundles that were made before, by source file: nothing is bundled then. */
  readonly bundles?: ReadonlyMap<string, string>;
  /** The folder of templates, bundles and compiled code that later starts use again. */
  readonly cacheDirectory: string;
}

/** A CDK app, which makes the templates. */
export interface CdkApp {
  readonly program: string;
  readonly context: Readonly<Record<string, unknown>>;
}
