// simporter upload-url NAME: a link by which somebody without AWS credentials can upload one file.
import { basename } from 'node:path';
import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { usageFailure } from '../failure.ts';
import { printJson } from '../output/json.ts';
import { readCount } from '../read-number.ts';
import { operationOption } from '../send-options.ts';
import { withTarget } from '../target.ts';

interface UploadUrlOptions {
  readonly operation: string;
  readonly planOnly?: boolean;
  readonly minutes: string;
}

/** A signature lasts a week at most. */
const mostMinutes = 7 * 24 * 60;

export const uploadUrlCommand = ({ action }: CommandContext): Command =>
  new Command('upload-url')
    .description('A link by which somebody without AWS credentials can upload one file.')
    .argument('<name>', 'the name that the file will have: july.csv')
    .addOption(operationOption())
    .option('--plan-only', 'what is uploaded waits for approval: nothing of it is sent before')
    .option('--minutes <count>', 'how long the link can be used', '60')
    .action(
      action<[string, UploadUrlOptions]>((session, given, options) =>
        withTarget(session, async (target) => {
          const key = `${options.planOnly ? 'plan/' : ''}${options.operation}/${readName(given)}`;
          const minutes = readMinutes(options.minutes);
          const url = await target.uploadUrl(key, minutes * 60);
          const expiresAt = new Date(session.clock() + minutes * 60_000).toISOString();
          if (session.json) await printJson(session.terminal, { url, key, expiresAt });
          else {
            await session.terminal.lines([url]);
            session.terminal.note(`Until ${expiresAt}, whoever has this link can upload ${key}: curl -T FILE "URL"`);
          }
          return exitCodes.done;
        }),
      ),
    );

function readName(given: string): string {
  if (given === basename(given) && !given.startsWith('.') && given.trim() !== '') return given;
  throw usageFailure(`"${given}" is not the name of a file.`, 'Give a name without folders, such as july.csv.');
}

function readMinutes(text: string): number {
  const minutes = readCount('--minutes', text);
  if (minutes <= mostMinutes) return minutes;
  throw usageFailure(`--minutes "${text}" is more than a week.`, 'S3 takes a signature for a week at most.');
}
