// Starts a server that answers from a recording.
import type { Listening } from '../http/listen.ts';
import { readRecording } from './recording.ts';
import { callOf, jsonHeaders, type Place, serve } from './serve.ts';

/** @throws Error for a file that is not a recording */
export async function startReplay(place: Place, file: string): Promise<Listening> {
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
