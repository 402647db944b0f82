import { describe, expect, test } from 'vitest';
import { describeCharacter, judgeCharacters, judgeLine } from '#shared/domain/cell-text.ts';

describe('characters of a cell', () => {
  test.each(['plain text', 'Zoë 😀', 'two\nlines', 'a\ttab', '', '日本'])('%j is fine', (text) => {
    expect(judgeCharacters(text)).toBeUndefined();
  });

  test.each([
    ['a\u0000b', 'character 2 is U+0000 (NUL): remove it'],
    ['😀\u200B', 'character 2 is U+200B (zero-width space): remove it'],
    ['\uFEFFa', 'character 1 is U+FEFF (byte order mark): remove it'],
    ['a\u0007', 'character 2 is U+0007 (not visible): remove it'],
  ])('%j is named with its place', (text, message) => {
    expect(judgeCharacters(text)).toEqual({ code: 'CELL_CONTROL_CHARACTER', message, severity: 'error' });
  });

  test.each(['two\nlines', 'a\ttab', 'a\u2028b', 'a\u200Bb'])('%j is no text of one line', (text) => {
    expect(judgeLine(text)).toMatchObject({ code: 'CELL_CONTROL_CHARACTER', severity: 'error' });
  });

  test.each(['Field team', 'Zoë 😀', '日本', ''])('%j is a text of one line', (text) => {
    expect(judgeLine(text)).toBeUndefined();
  });

  test.each([
    ['O', '"O" (U+004F)'],
    ['٣', 'U+0663 (Arabic-Indic digit 3)'],
    ['７', 'U+FF17 (full-width digit 7)'],
    ['\u2003', 'U+2003 (not visible)'],
  ])('%j is described as %s', (character, description) => {
    expect(describeCharacter(character)).toBe(description);
  });
});
