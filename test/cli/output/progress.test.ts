import { describe, expect, it } from 'vitest';
import { noPaint } from '#cli/output/paint.ts';
import { bar, createProgress } from '#cli/output/progress.ts';

const stage = (detail: string, share: number | undefined = 0.5) => ({ name: 'Read', share, detail });

const recording = (isTTY: boolean) => {
  const written: string[] = [];
  return { stream: { isTTY, columns: 60, write: (text: string) => written.push(text) }, written };
};

describe('bar', () => {
  it('fills from left to right and never beyond its ends', () => {
    expect([bar(0, 4), bar(0.5, 4), bar(7, 4), bar(-1, 4)]).toEqual(['░░░░', '██░░', '████', '░░░░']);
  });

  it('shows that the share is not known', () => {
    expect(bar(undefined, 4)).toBe('····');
  });
});

describe('progress on a terminal', () => {
  it('draws over what it drew before', () => {
    const { stream, written } = recording(true);
    const progress = createProgress(stream, noPaint, () => 0);
    progress.show([stage('1 row'), stage('2 rows')]);
    progress.show([stage('3 rows'), stage('4 rows')]);
    expect(written[0]).not.toContain('\u001b[2A');
    expect(written[1]?.startsWith('\u001b[2A\u001b[2KRead')).toBe(true);
  });

  it('never takes more columns than the terminal has', () => {
    const { stream, written } = recording(true);
    createProgress(stream, noPaint, () => 0).show([stage('x'.repeat(200))]);
    expect(written.join('').replace('\u001b[2K', '').trimEnd().length).toBeLessThanOrEqual(60);
  });
});

describe('progress in a pipe', () => {
  it('says a line now and then, not at every change', () => {
    let now = 0;
    const { stream, written } = recording(false);
    const progress = createProgress(stream, noPaint, () => now);
    progress.show([stage('1 row')]);
    now = 1_000;
    progress.show([stage('2 rows')]);
    now = 6_000;
    progress.show([stage('3 rows')]);
    expect(written).toEqual(['Read: 1 row\n', 'Read: 3 rows\n']);
  });

  it('says nothing twice, and ends with the last state', () => {
    let now = 0;
    const { stream, written } = recording(false);
    const progress = createProgress(stream, noPaint, () => now);
    progress.show([stage('1 row')]);
    now = 60_000;
    progress.show([stage('1 row')]);
    now = 61_000;
    progress.show([stage('2 rows')]);
    progress.finish();
    expect(written).toEqual(['Read: 1 row\n', 'Read: 2 rows\n']);
  });

  it('holds no escape sequence', () => {
    const { stream, written } = recording(false);
    createProgress(stream, noPaint, () => 0).show([stage('1 row')]);
    expect(written.join('')).not.toContain('\u001b');
  });
});
