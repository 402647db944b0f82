// The options `--proxy`, `--record` and `--replay`: answers of the real service, now or from a recording.
import type { Listening } from '../start-simulator.ts';
import { createAnswerChecker } from './answer-checker.ts';
import { createDifferenceReport } from './difference-report.ts';
import { createRecorder, readRecording } from './recording.ts';
import { callOf, jsonHeaders, type Place, serve } from './serve.ts';
import { startProxy } from './start-proxy.ts';

interface RealAnswersOptions {
  readonly port: number;
  readonly host: string;
  readonly proxy?: string | undefined;
  readonly 'proxy-auth'?: string | undefined;
  readonly record?: string | undefined;
  readonly replay?: string | undefined;
  readonly json: boolean;
}

/** @throws Error for options that do not go together, an address without TLS, or a file that cannot be used */
export async function startRealAnswers(
  { proxy, replay, record, json, 'proxy-auth': auth, ...place }: RealAnswersOptions,
  readDocument: () => Promise<string>,
): Promise<Listening> {
  if (replay !== undefined) {
    if (proxy !== undefined || record !== undefined) throw new Error('--replay needs no service: omit --proxy.');
    return startReplay(place, replay);
  }
  if (proxy === undefined) {
    throw new Error(`--${record === undefined ? 'proxy-auth' : 'record'} needs --proxy, the address of the service.`);
  }
  const checker = createAnswerChecker(JSON.parse(await readDocument()));
  const report = createDifferenceReport(json ? 'json' : 'text', (line) => console.error(line));
  const recorder = record === undefined ? undefined : createRecorder(record);
  const server = await startProxy({ ...place, service: proxy, auth, checker, report, recorder });
  return {
    ...server,
    async stop() {
      await server.stop();
      recorder?.close();
      report.finish();
    },
  };
}

/** @throws Error for a file that is not a recording */
async function startReplay(place: Place, file: string): Promise<Listening> {
  const answerOf = readRecording(file);
  return serve(place, (incoming, body, outgoing) => {
    const call = { ...callOf(incoming), text: body.toString() };
    const answer = answerOf(call);
    if (answer) {
      outgoing.writeHead(answer.status, answer.headers).end(answer.body);
    } else {
      const message = `The recording has no ${call.method} ${call.path} with this body.`;
      outgoing.writeHead(404, jsonHeaders).end(JSON.stringify({ message, errors: [] }));
    }
  });
}
