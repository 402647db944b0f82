// Events as the engine keeps them, read as a stream: one JSON value a line.
import { splitLines } from './json-lines.ts';
import { type EventJson, eventJson } from './json-shapes.ts';

/** What was announced so far; with `follow` what is announced from now on as well, until `signal` ends it or the engine goes. */
export async function* readEvents(endpoint: string, follow: boolean, signal: AbortSignal): AsyncIterable<EventJson> {
  try {
    const { body } = await fetch(`${endpoint}/events${follow ? '?follow' : ''}`, { signal });
    if (body === null) return;
    for await (const line of splitLines(body)) yield eventJson.parse(JSON.parse(line));
  } catch (error) {
    // Ctrl-C and the end of the engine are how a person ends this.
    if (!signal.aborted && !isGone(error)) throw error;
  }
}

const isGone = (error: unknown): boolean => error instanceof TypeError && error.message === 'terminated';
