// Imports a file over the API, for tests of what the console shows of it.
import { setTimeout as pause } from 'node:timers/promises';
import { vi } from 'vitest';
import type { StartedConsole } from './started-console.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read members of answers that other tests check with their schemas
export type ApiCall = (method: string, path: string, body?: object) => Promise<any>;

/** @throws Error with the answer unless the call succeeds */
export const apiOf =
  ({ url, token }: Pick<StartedConsole, 'url' | 'token'>): ApiCall =>
  async (method, path, body) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };

interface TestFile {
  readonly operation: string;
  readonly fileName: string;
  readonly rows: readonly (readonly string[])[];
  /** As the body of `POST /uploads` has them. @default none */
  readonly settings?: object;
}

const pollMs = 250;
const polls = 360;

/** Answers the import once it is planned, or rejected as a whole. */
export async function planFile(call: ApiCall, { operation, fileName, rows, settings }: TestFile): Promise<string> {
  const bytes = Buffer.from(rows.map((cells) => `${cells.join(',')}\r\n`).join(''));
  const file = { ...settings, operation, fileName, bytes: bytes.length };
  const { uploadId, partBytes } = await call('POST', '/uploads', file);
  const parts = Array.from({ length: Math.ceil(bytes.length / partBytes) }, (_, index) => index + 1);
  const { links } = await call('POST', `/uploads/${uploadId}/links`, { parts });
  for (const [index, { url }] of links.entries()) {
    await fetch(url, { method: 'PUT', body: bytes.subarray(index * partBytes, (index + 1) * partBytes) });
  }
  const { importId } = await call('POST', `/uploads/${uploadId}/complete`);
  const stateNow = async () => (await call('GET', `/imports/${importId}`).catch(() => undefined))?.state;
  for (let poll = 0; poll < polls; poll += 1) {
    if (['planned', 'rejected'].includes(await stateNow())) return importId;
    await pause(pollMs);
  }
  throw new Error(`${fileName} was not read in ${(polls * pollMs) / 1000} seconds`);
}

/** Longer than sync and report need for what changed meanwhile, mostly. */
const settleMs = 2_000;

/**
 * Moves the calendar by so many days, and again where that was too early, until the ports have come so far. Each move
 * is a run of sync. A calendar that runs fast has one each second, and new reads of every page.
 */
export async function passDays(call: ApiCall, days: number, isReached: () => Promise<boolean>): Promise<void> {
  let movedAt = Number.NEGATIVE_INFINITY;
  const reachOrMove = async () => {
    if (await isReached()) return true;
    if (performance.now() - movedAt > settleMs) {
      await call('POST', '/simulator/calendar', { days });
      movedAt = performance.now();
    }
    return false;
  };
  await vi.waitUntil(reachOrMove, { timeout: 90_000, interval: 250 });
}

export async function approvePlan(call: ApiCall, importId: string): Promise<void> {
  const { planHash } = await call('GET', `/imports/${importId}/plan`);
  await call('POST', `/imports/${importId}/approve`, { planHash });
}
