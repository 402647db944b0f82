import { describe, expect, it } from 'vitest';
import { bar, createProgress, noPaint, paintFor } from '#cli/output/terminal.ts';

const coloured = (isTTY: boolean, env: Record<string, string>) => paintFor({ isTTY }, env)('red', 'x') !== 'x';

describe('paintFor', () => {
  it('colours on a terminal only', () => {
    expect([coloured(true, {}), coloured(false, {})]).toEqual([true, false]);
  });

  it('obeys NO_COLOR, also against FORCE_COLOR', () => {
    expect(coloured(true, { NO_COLOR: '1', FORCE_COLOR: '1' })).toBe(false);
  });

  it('obeys FORCE_COLOR in a pipe', () => {
    expect([coloured(false, { FORCE_COLOR: '1' }), coloured(true, { FORCE_COLOR: '0' })]).toEqual([true, false]);
  });

  it('leaves a dumb terminal alone', () => {
    expect(coloured(true, { TERM: 'dumb' })).toBe(false);
  });
});

const step = (detail: string, share: number | undefined = 0.5) => ({ name: 'Read', share, detail });

const record = (isTTY: boolean) => {
  const written: string[] = [];
  return { stream: { isTTY, columns: 60, write: (text: string) => written.push(text) }, written };
};

describe('bar', () => {
  it('fills from left to right and never beyond its ends', () => {
    expect([bar(0, 4), bar(0.5, 4), bar(7, 4), bar(-1, 4)]).toEqual(['░░░░', '██░░', '████', '░░░░']);
  });

  it('shows dots when the share is unknown', () => {
    expect(bar(undefined, 4)).toBe('····');
  });
});

describe('progress on a terminal', () => {
  it('redraws its lines', () => {
    const { stream, written } = record(true);
    const progress = createProgress(stream, noPaint, () => 0);
    progress.show([step('1 row'), step('2 rows')]);
    progress.show([step('3 rows'), step('4 rows')]);
    expect(written[0]).not.toContain('\u001b[2A');
    expect(written[1]?.startsWith('\u001b[2A\u001b[2KRead')).toBe(true);
  });

  it('never takes more columns than the terminal has', () => {
    const { stream, written } = record(true);
    createProgress(stream, noPaint, () => 0).show([step('x'.repeat(200))]);
    expect(written.join('').replace('\u001b[2K', '').trimEnd().length).toBeLessThanOrEqual(60);
  });
});

describe('progress in a pipe', () => {
  it('logs a line every few seconds, not every change', () => {
    let now = 0;
    const { stream, written } = record(false);
    const progress = createProgress(stream, noPaint, () => now);
    progress.show([step('1 row')]);
    now = 1_000;
    progress.show([step('2 rows')]);
    now = 6_000;
    progress.show([step('3 rows')]);
    expect(written).toEqual(['Read: 1 row\n', 'Read: 3 rows\n']);
  });

  it('logs no line twice, and ends with the last state', () => {
    let now = 0;
    const { stream, written } = record(false);
    const progress = createProgress(stream, noPaint, () => now);
    progress.show([step('1 row')]);
    now = 60_000;
    progress.show([step('1 row')]);
    now = 61_000;
    progress.show([step('2 rows')]);
    progress.finish();
    expect(written).toEqual(['Read: 1 row\n', 'Read: 2 rows\n']);
  });

  it('logs only the steps that have changed', () => {
    let now = 0;
    const { stream, written } = record(false);
    const progress = createProgress(stream, noPaint, () => now);
    progress.show([step('1 row'), { ...step('2 KB'), name: 'Upload' }]);
    now = 6_000;
    progress.show([step('1 row'), { ...step('3 KB'), name: 'Upload' }]);
    expect(written).toEqual(['Read: 1 row | Upload: 2 KB\n', 'Upload: 3 KB\n']);
  });

  it('contains no escape sequence', () => {
    const { stream, written } = record(false);
    createProgress(stream, noPaint, () => 0).show([step('1 row')]);
    expect(written.join('')).not.toContain('\u001b');
  });
});
