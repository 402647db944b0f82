// Reads the events that the emulator keeps: a stream of one JSON value per line.

import { splitLines } from '#shared/store/files/json-lines.ts';
import { type EventJson, publishedEvent } from '../json-shapes.ts';

interface EventsRequest {
  readonly endpoint: string;
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

/** The events so far; with `follow` also the next ones, until `signal` is aborted or the emulator stops. */
export async function* readEmulatorEvents({ endpoint, follow, signal }: EventsRequest): AsyncIterable<EventJson> {
  try {
    const { body } = await fetch(`${endpoint}/events${follow ? '?follow' : ''}`, { signal });
    if (body === null) return;
    for await (const line of splitLines(body)) yield publishedEvent.parse(JSON.parse(line));
  } catch (error) {
    // Ctrl-C and the end of the emulator are the normal ways to stop following.
    if (!signal.aborted && !isConnectionClosed(error)) throw error;
  }
}

const isConnectionClosed = (error: unknown): boolean => error instanceof TypeError && error.message === 'terminated';
