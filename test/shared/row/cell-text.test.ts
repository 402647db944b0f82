import { describe, expect, test } from 'vitest';
import { checkCharacters, checkLine, describeCharacter } from '#shared/row/did-you-mean.ts';

describe('characters of a cell', () => {
  test.each(['plain text', 'Zoë 😀', 'two\nlines', 'a\ttab', '', '日本', '👩‍🚀 👨‍👩‍👧 🏳️‍🌈', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 Leeds'])(
    '%j is valid',
    (text) => {
      expect(checkCharacters(text)).toBeUndefined();
    },
  );

  test.each([
    ['a\u0000b', 'Character 2 is U+0000 (NUL). Remove it'],
    ['😀\u200B', 'Character 2 is U+200B (zero-width space). Remove it'],
    ['a\u200Db', 'Character 2 is U+200D (zero-width joiner). Remove it'],
    ['😀\u200D', 'Character 2 is U+200D (zero-width joiner). Remove it'],
    ['👨‍👩‍👧\u200B', 'Character 6 is U+200B (zero-width space). Remove it'],
    ['\uFEFFa', 'Character 1 is U+FEFF (byte order mark). Remove it'],
    ['a\u0007', 'Character 2 is U+0007 (not visible). Remove it'],
  ])('the error of %j names the character and its place', (text, message) => {
    expect(checkCharacters(text)).toEqual({ code: 'CELL_CONTROL_CHARACTER', message, severity: 'error' });
  });

  test.each(['two\nlines', 'a\ttab', 'a\u2028b', 'a\u200Bb'])('%j is not a text of one line', (text) => {
    expect(checkLine(text)).toMatchObject({ code: 'CELL_CONTROL_CHARACTER', severity: 'error' });
  });

  test.each(['Field team', 'Zoë 😀', '日本', ''])('%j is a text of one line', (text) => {
    expect(checkLine(text)).toBeUndefined();
  });

  test.each([
    ['O', '"O" (U+004F)'],
    ['٣', 'U+0663 (Arabic-Indic digit 3)'],
    ['７', 'U+FF17 (full-width digit 7)'],
    ['\u2003', 'U+2003 (not visible)'],
    ['٠', 'U+0660 (Arabic-Indic digit 0)'],
    ['٩', 'U+0669 (Arabic-Indic digit 9)'],
    ['٪', '"٪" (U+066A)'],
    ['۱', 'U+06F1 (Persian digit 1)'],
    ['१', 'U+0967 (Devanagari digit 1)'],
  ])('%j is described as %s', (character, description) => {
    expect(describeCharacter(character)).toBe(description);
  });

  test('every character that comes with pasted text has a name', () => {
    const invisible =
      '\t\n\r\u00A0\u00AD\u200B\u200C\u200D\u200E\u200F\u202A\u202C\u202D\u202E\u2060\u2066\u2069\uFEFF';
    expect([...invisible].map((character) => describeCharacter(character).replace(/^U\+/, ''))).toEqual([
      '0009 (tab)',
      '000A (line break)',
      '000D (carriage return)',
      '00A0 (no-break space)',
      '00AD (soft hyphen)',
      '200B (zero-width space)',
      '200C (zero-width non-joiner)',
      '200D (zero-width joiner)',
      '200E (left-to-right mark)',
      '200F (right-to-left mark)',
      '202A (left-to-right embedding)',
      '202C (end of directional formatting)',
      '202D (left-to-right override)',
      '202E (right-to-left override)',
      '2060 (word joiner)',
      '2066 (left-to-right isolate)',
      '2069 (end of directional isolate)',
      'FEFF (byte order mark)',
    ]);
  });
});
