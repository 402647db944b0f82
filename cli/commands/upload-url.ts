// simporter upload-url NAME: a link to upload one file once, without AWS credentials.
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { linkSigner } from '#shared/store/browser-files.ts';
import { parseUploadKey, uploadKey } from '#shared/store/object-keys.ts';
import type { CliContext } from '../context/cli-context.ts';
import { usageError } from '../context/cli-error.ts';
import { type ConfigureCommand, type ExitCode, exitCodes } from '../context/command.ts';
import { parseCount } from '../options/common-options.ts';
import { createOperationOption } from '../options/upload-options.ts';
import { printJson } from '../output/json.ts';
import { formatInstant, shellQuoted } from '../output/text.ts';
import type { Target } from '../target/target.ts';
import { withTarget } from '../target/with-target.ts';

interface UploadUrlOptions {
  readonly operation: string;
  readonly sendAtOnce?: boolean;
  /** The only size that S3 accepts. @default - any, up to the limit of ingest */
  readonly bytes?: string;
  readonly minutes: string;
}

export const configure: ConfigureCommand = (command, { run }) =>
  command
    .argument('<name>', 'the name of the file in the inbox: july.csv')
    .addOption(createOperationOption())
    .option('--send-at-once', 'send the uploaded file without waiting for approval')
    .option('--bytes <count>', 'the exact size of the file; S3 accepts no other')
    .option('--minutes <count>', 'how long the link is valid', '60')
    .action(run<[string, UploadUrlOptions]>(createUploadUrl));

async function createUploadUrl(context: CliContext, name: string, options: UploadUrlOptions): Promise<ExitCode> {
  const { operation, sendAtOnce = false } = options;
  // A new folder: S3 accepts the upload only where the key is new.
  const folder = randomBytes(8).toString('hex');
  const key = uploadKey({ operation, folder, fileName: checkName(name), planOnly: !sendAtOnce });
  const seconds = parseMinutes(options.minutes) * 60;
  const bytes = options.bytes === undefined ? undefined : parseCount('--bytes', options.bytes);
  return withTarget(context, async (session) => {
    const { target, json, terminal } = session;
    const { url, expires } = await signUpload(target, key, seconds, bytes);
    // Without it S3 rejects the upload.
    const headers = { 'if-none-match': '*' };
    const expiresAt = new Date(expires).toISOString();
    if (json) await printJson(session, { url, key, headers, expiresAt });
    else {
      await terminal.lines([url]);
      terminal.note(`Until ${formatInstant(expiresAt)} UTC, anyone with this link can upload ${name} once:`);
      terminal.note(`curl -T ${shellQuoted(name)} -H "If-None-Match: *" "URL"`);
    }
    return exitCodes.done;
  });
}

/** `If-None-Match: *` is part of the signature: S3 creates the object and never replaces it, so the link works once. */
async function signUpload({ s3, resources }: Target, key: string, seconds: number, bytes: number | undefined) {
  const signingDate = new Date();
  const command = new PutObjectCommand({
    Bucket: resources.inboxBucket,
    Key: key,
    IfNoneMatch: '*',
    ...(bytes === undefined ? {} : { ContentLength: bytes }),
  });
  const url = await getSignedUrl(linkSigner(s3), command, { expiresIn: seconds, signingDate });
  // The signature ends with the credentials behind it.
  const { expiration } = await s3.config.credentials();
  const sessionEnd = expiration?.getTime() ?? Number.POSITIVE_INFINITY;
  return { url, expires: Math.min(signingDate.getTime() + seconds * 1_000, sessionEnd) };
}

function checkName(name: string): string {
  if (name !== basename(name) || name.startsWith('.') || name.trim() === '') {
    throw usageError(`"${name}" is not the name of a file.`, 'Give a name without folders, such as july.csv.');
  }
  if (parseUploadKey(name)?.isReadable) return name;
  throw usageError(`"${name}" would be rejected.`, 'Give a name that ends in .csv, .tsv, .txt or .xlsx.');
}

/** A signature is valid for a week at most. */
const maxMinutes = 7 * 24 * 60;

function parseMinutes(text: string): number {
  const minutes = parseCount('--minutes', text);
  if (minutes <= maxMinutes) return minutes;
  throw usageError(`--minutes "${text}" is more than a week.`, `S3 accepts at most --minutes ${maxMinutes}.`);
}
