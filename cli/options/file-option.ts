// The options of every command that writes rows to a file, as a CSV or as a workbook.
import { type Command, Option } from 'commander';

export interface FileOptions {
  readonly csv?: string;
  readonly xlsx?: string;
}

export const writesFile = ({ csv, xlsx }: FileOptions): boolean => csv !== undefined || xlsx !== undefined;

/** @param description of the CSV */
export const addFileOptions = (command: Command, description: string): Command =>
  command
    .option('--csv <file>', description)
    .addOption(new Option('--xlsx <file>', 'the same as a workbook: every cell is a text').conflicts('csv'));
