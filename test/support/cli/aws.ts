// Stands for the AWS CLI where it is not installed, as a program: `node aws.ts dynamodb query --table-name ...`. It
// makes the same call with the SDK from the same words, and prints the answer as the CLI does. It knows what the
// documentation uses: `s3 cp` of one file, and commands of `dynamodb` whose options are texts, numbers or JSON.
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';

const pascalCase = (words: string): string => words.replaceAll(/(?:^|-)([a-z])/g, (_, letter) => letter.toUpperCase());

const place = (url: string) => {
  const [, Bucket = '', Key = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(url) ?? [];
  return { Bucket, Key };
};

async function copy(from: string, to: string): Promise<void> {
  // The addresses of the emulator have the bucket in their path, as the CLI writes them for an IP address.
  const s3 = new S3Client({ forcePathStyle: true });
  if (to.startsWith('s3://')) {
    const { Bucket, Key } = place(to);
    const name = Key === '' || Key.endsWith('/') ? `${Key}${basename(from)}` : Key;
    await s3.send(new PutObjectCommand({ Bucket, Key: name, Body: await readFile(from) }));
    return console.log(`upload: ${from} to s3://${Bucket}/${name}`);
  }
  const { Body } = await s3.send(new GetObjectCommand(place(from)));
  const text = (await Body?.transformToString()) ?? '';
  if (to === '-') process.stdout.write(text);
  else await writeFile(to, text);
}

/** `--scan-index-forward` and `--no-scan-index-forward` have no value; other values are JSON or a text. */
function inputOf(words: readonly string[]): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (let at = 0; at < words.length; at += 1) {
    const name = (words[at] ?? '').replace(/^--/, '');
    const value = words[at + 1];
    if (value === undefined || value.startsWith('--')) {
      input[pascalCase(name.replace(/^no-/, ''))] = !name.startsWith('no-');
      continue;
    }
    input[pascalCase(name)] = /^[[{\d]/.test(value) ? JSON.parse(value) : value;
    at += 1;
  }
  return input;
}

async function callDynamoDb(command: string, words: readonly string[]): Promise<void> {
  const Command = Reflect.get(dynamodb, `${pascalCase(command)}Command`);
  if (Command === undefined) throw new Error(`aws dynamodb has no command ${command}`);
  const { $metadata, ...answer } = await new dynamodb.DynamoDBClient().send(new Command(inputOf(words)));
  console.log(JSON.stringify(answer, undefined, 4));
}

const [service = '', command = '', ...words] = process.argv.slice(2);
if (service === 's3' && command === 'cp') {
  const [from = '', to = ''] = words.filter((word) => !word.startsWith('--'));
  await copy(from, to);
} else if (service === 'dynamodb') await callDynamoDb(command, words);
else throw new Error(`the stand-in for the AWS CLI cannot do: aws ${service} ${command}`);
