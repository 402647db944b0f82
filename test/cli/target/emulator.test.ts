// A full disk, on which sync cannot record that it fails, is said where people look.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { syncRunsOnDisk } from '#cli/target/emulator.ts';

/** A file system without a free byte. */
const full = process.platform === 'darwin' ? '/dev' : '/proc';
const recorded = { unfinished: 3, unfinishedSince: '2026-07-06T09:00:00.000Z' };

test('a full disk is why sync fails, whatever the table has', async () => {
  for (const item of [undefined, recorded]) {
    const { unfinished, failing } = (await syncRunsOnDisk(full, item)) ?? {};
    expect([unfinished, failing?.reason]).toEqual([0, `the disk of ${full} is full`]);
    expect(Date.parse(failing?.since ?? '')).toBeLessThanOrEqual(Date.now());
  }
});

test('with space, the table says how sync fails', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'simporter-disk-'));
  expect(await syncRunsOnDisk(directory, undefined)).toBeUndefined();
  expect(await syncRunsOnDisk(directory, recorded)).toBe(recorded);
  await rm(directory, { recursive: true });
});
