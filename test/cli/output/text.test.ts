import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ansiPaint } from '#cli/output/terminal.ts';
import { displayWidth, pad, painted, plain, truncate } from '#cli/output/text.ts';
import { anyText } from '../../support/any-text.ts';

describe('plain', () => {
  it('removes colour and cursor sequences', () => {
    expect(plain('\u001b[31mred\u001b[0m \u001b[2Aup')).toBe('red up');
  });

  it('removes sequences that set the title or create links', () => {
    expect(plain('\u001b]0;owned\u0007a\u001b]8;;http://x\u001b\\b')).toBe('ab');
  });

  it('keeps text on one line', () => {
    expect(plain('a\r\nb\u2028c\td')).toBe('a b c d');
  });

  it('removes marks that change the reading direction', () => {
    expect(plain('safe\u202egpj.exe')).toBe('safegpj.exe');
  });

  it.each([
    ['C1 control characters', 'a\u009b31mb\u0085c'],
    ['soft hyphens', 'a\u00adb'],
    ['direction marks', 'a\u061c\u200f\u2066b\u2069'],
    ['tags', 'a\u{e0041}b'],
    ['letters without a shape', 'a\u3164b'],
  ])('removes %s', (_what, text) => {
    expect(plain(text)).toMatch(/^[a-z\d]+$/);
  });

  it('is of a line all that a terminal shows, except the colours of simporter', () => {
    const red = ansiPaint('red', 'a\u001b[8mb\u009b2J\u202ec');
    expect(painted(red)).toBe(ansiPaint('red', 'ab2Jc'));
    expect(painted('\u001b[5mblink\u001b]0;title\u0007')).toBe('blink');
  });

  it('leaves no control character in any text', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(plain(text)).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

describe('truncate', () => {
  it('keeps text that fits', () => {
    expect(truncate('four', 4)).toBe('four');
  });

  it('ends longer text in an ellipsis', () => {
    expect(truncate('five!', 4)).toBe('fiv…');
  });

  it('never splits a character', () => {
    expect(truncate('👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 4)).toBe('👩‍👩‍👧‍👦…');
  });

  it('never takes more columns than the width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat({ max: 40 }), (text, width) => {
        expect(displayWidth(truncate(text, width))).toBeLessThanOrEqual(Math.max(width, 0));
      }),
    );
  });
});

describe('pad', () => {
  it('counts wide characters as two', () => {
    expect(pad('電話', 6)).toBe('電話  ');
  });

  it('fills numbers on the left', () => {
    expect(pad('7', 3, 'right')).toBe('  7');
  });
});
