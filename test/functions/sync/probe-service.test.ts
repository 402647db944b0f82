// How long no call has succeeded, which sync measures in every run: perhaps nobody else calls the service for hours.
import { describe, expect, test } from 'vitest';
import { probeService } from '#functions/sync/sync.ts';
import { newRateLimit, type RateLimitItem } from '#shared/request/shared-rate-limit.ts';
import { RateLimited } from '#shared/service/errors.ts';
import { isoTime } from '#shared/text/wording.ts';
import { double } from '../../support/double.ts';
import { silentLog } from '../../support/steps/test-pipeline.ts';

const minute = 60_000;
const now = Date.parse('2026-07-06T12:00:00Z');
const since = (minutes: number): string => isoTime(now - minutes * minute);

/** The calls of a run, and what it measures. */
async function probe(before: Partial<RateLimitItem>, after: Partial<RateLimitItem>, answers = true) {
  const made: string[] = [];
  const measured: [string, number][] = [];
  const call = (name: string) => async () => {
    made.push(name);
    if (!answers) throw new RateLimited(1_000, { call: name, status: 429 });
    return [];
  };
  await probeService(
    double({
      rateLimiter: {
        get: async () => ({ ...newRateLimit(now), ...(made.length === 0 ? before : after) }),
        probeNow: async () => {},
      },
      client: { networks: call('networks'), throwIfDeferred: async () => void (await call('probe')()) },
      clocks: { wall: () => now },
      metrics: { gauge: (name: string, value: number) => void measured.push([name, value]) },
      log: silentLog,
    }),
  );
  return { made, measured };
}

describe('a service', () => {
  test('that answers is not called, and has been silent for no time', async () => {
    expect(await probe({}, {})).toEqual({ made: [], measured: [['serviceDown', 0]] });
  });

  test('that limited the last calls is asked once: it may have recovered since', async () => {
    const limited = { pauses: 3, pausedSince: since(20) };
    expect(await probe(limited, {})).toEqual({ made: ['networks'], measured: [['serviceDown', 0]] });
    expect(await probe(limited, limited, false)).toEqual({ made: ['networks'], measured: [['serviceDown', 20 * 60]] });
  });

  test('that is down gets one probe, and has been silent since the first failure', async () => {
    const outage = { probes: 2, nextProbeAt: since(-2) };
    const down = { outage, failing: { since: since(30), times: 9, because: 'no answer' } };
    expect(await probe(down, down, false)).toEqual({ made: ['probe'], measured: [['serviceDown', 30 * 60]] });
  });
});
