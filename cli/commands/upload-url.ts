// simporter upload-url NAME: a link to upload one file without AWS credentials.
import { basename } from 'node:path';
import { uploadKey } from '#shared/store/files/object-keys.ts';
import type { CliContext } from '../context/cli-context.ts';
import { usageError } from '../context/cli-error.ts';
import type { ConfigureCommand } from '../context/command.ts';
import { type ExitCode, exitCodes } from '../context/exit-code.ts';
import { parseCount } from '../options/parse-number.ts';
import { createOperationOption } from '../options/upload-options.ts';
import { printJson } from '../output/json.ts';
import { withTarget } from '../target/with-target.ts';

interface UploadUrlOptions {
  readonly operation: string;
  readonly planOnly?: boolean;
  readonly minutes: string;
}

export const configure: ConfigureCommand = (command, run) =>
  command
    .argument('<name>', 'the name of the file in the inbox: july.csv')
    .addOption(createOperationOption())
    .option('--plan-only', 'the uploaded file waits for approval: nothing is sent before')
    .option('--minutes <count>', 'how long the link is valid', '60')
    .action(run<[string, UploadUrlOptions]>(createUploadUrl));

async function createUploadUrl(context: CliContext, name: string, options: UploadUrlOptions): Promise<ExitCode> {
  const { operation, planOnly = false } = options;
  const key = uploadKey({ operation, fileName: checkName(name), planOnly });
  const minutes = parseMinutes(options.minutes);
  return withTarget(context, async (session) => {
    const { target, clock, json, terminal } = session;
    const url = await target.uploadUrl(key, minutes * 60);
    const expiresAt = new Date(clock() + minutes * 60_000).toISOString();
    if (json) await printJson(session, { url, key, expiresAt });
    else {
      await terminal.lines([url]);
      terminal.note(`Until ${expiresAt}, anyone with this link can upload ${key}: curl -T FILE "URL"`);
    }
    return exitCodes.done;
  });
}

function checkName(name: string): string {
  if (name === basename(name) && !name.startsWith('.') && name.trim() !== '') return name;
  throw usageError(`"${name}" is not the name of a file.`, 'Give a name without folders, such as july.csv.');
}

/** A signature is valid for a week at most. */
const maxMinutes = 7 * 24 * 60;

function parseMinutes(text: string): number {
  const minutes = parseCount('--minutes', text);
  if (minutes <= maxMinutes) return minutes;
  throw usageError(`--minutes "${text}" is more than a week.`, `S3 accepts at most --minutes ${maxMinutes}.`);
}
