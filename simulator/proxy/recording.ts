// A recording of calls and answers, one JSON line each, without porting codes, tokens and secrets; and its answers
// again, in their order.
import { closeSync, fstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';
import { codesIn } from '#shared/service/service-texts.ts';
import { parseJson } from '#shared/text/stored-values.ts';
import { maskedPath, maskedText } from './masked.ts';

const recordedCall = z.object({
  method: z.string(),
  /** With the query. */
  path: z.string(),
  /** The headers that decide about the answer: the page of List Ports. */
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});
const recordedAnswer = z.object({
  status: z.int().min(100).max(599),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});
const entry = z.object({ call: recordedCall, answer: recordedAnswer });
type RecordedCall = z.infer<typeof recordedCall>;
type RecordedAnswer = z.infer<typeof recordedAnswer>;

/** A call or an answer in full. */
interface Message {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}
export interface Call extends Message {
  readonly method: string;
  readonly path: string;
}
interface CallAnswer extends Message {
  readonly status: number;
}

const headersOfCall = ['x-pagenumber', 'x-pagesize'];
const headersOfAnswer = ['content-type', 'retry-after'];

const pick = (headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])));

const maskedCall = ({ method, path, headers, text }: Call): RecordedCall => ({
  method,
  path: maskedPath(path),
  headers: pick(headers, headersOfCall),
  body: maskedText(text, codesIn(text)),
});

export interface Recorder {
  add(call: Call, answer: CallAnswer): void;
  close(): void;
}

/** @throws Error for a file with content: a recording is one session */
export function createRecorder(file: string): Recorder {
  const descriptor = openSync(file, 'a', 0o600);
  if (fstatSync(descriptor).size > 0) throw new Error(`${file} is not empty. Name a new file.`);
  return {
    add(call, { status, headers, text }) {
      const codes = [...codesIn(call.text), ...codesIn(text)];
      const answer = { status, headers: pick(headers, headersOfAnswer), body: maskedText(text, codes) };
      writeSync(descriptor, `${JSON.stringify({ call: maskedCall(call), answer })}\n`);
    },
    close: () => closeSync(descriptor),
  };
}

const keyOf = ({ method, path, headers, body }: RecordedCall): string => JSON.stringify([method, path, headers, body]);

/** The answers of a call in their order, then the last one again; undefined for a call that was not recorded. */
type Replay = (call: Call) => RecordedAnswer | undefined;

/** @throws Error that names the line that is not of a recording */
export function readRecording(file: string): Replay {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const byCall = Map.groupBy(
    lines.map((line, index) => {
      const parsed = entry.safeParse(parseJson(line));
      if (!parsed.success) throw new Error(`${file}: line ${index + 1} is not a call with its answer.`);
      return parsed.data;
    }),
    ({ call }) => keyOf(call),
  );
  return (call) => {
    const entries = byCall.get(keyOf(maskedCall(call))) ?? [];
    const next = entries.length > 1 ? entries.shift() : entries[0];
    return next?.answer;
  };
}
