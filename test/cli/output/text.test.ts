import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counted, displayWidth, pad, plain, truncate } from '#cli/output/text.ts';

describe('plain', () => {
  it('takes colour and cursor sequences out', () => {
    expect(plain('\u001b[31mred\u001b[0m \u001b[2Aup')).toBe('red up');
  });

  it('takes out sequences that set the title or make links', () => {
    expect(plain('\u001b]0;owned\u0007a\u001b]8;;http://x\u001b\\b')).toBe('ab');
  });

  it('keeps text on one line', () => {
    expect(plain('a\r\nb\u2028c\td')).toBe('a b c d');
  });

  it('takes out marks that turn the reading direction', () => {
    expect(plain('safe\u202egpj.exe')).toBe('safegpj.exe');
  });

  it('leaves nothing that a terminal obeys, whatever comes in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(plain(text)).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

describe('truncate', () => {
  it('leaves what fits as it is', () => {
    expect(truncate('four', 4)).toBe('four');
  });

  it('ends what does not fit in an ellipsis', () => {
    expect(truncate('five!', 4)).toBe('fiv…');
  });

  it('never cuts a character in two', () => {
    expect(truncate('👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 4)).toBe('👩‍👩‍👧‍👦…');
  });

  it('never takes more columns than it was given', () => {
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

  it('fills on the left for numbers', () => {
    expect(pad('7', 3, 'right')).toBe('  7');
  });
});

describe('counted', () => {
  it('knows one from many', () => {
    expect([counted(1, 'row'), counted(1234, 'row')]).toEqual(['1 row', '1,234 rows']);
  });
});
