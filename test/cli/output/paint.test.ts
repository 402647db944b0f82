import { describe, expect, it } from 'vitest';
import { paintFor } from '#cli/output/paint.ts';

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
