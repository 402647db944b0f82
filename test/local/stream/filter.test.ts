// Filter patterns as Lambda matches them, with the conditions that the emulator knows.
import { describe, expect, test } from 'vitest';
import { createFilter, notKnown } from '#local/stream/filter.ts';

const matches = (pattern: object, event: unknown) => createFilter([JSON.stringify(pattern)])(event);

describe('a pattern', () => {
  test.each([
    ['a literal', { a: { b: ['x', 'y'] } }, { a: { b: 'y' } }, true],
    ['another literal', { a: { b: ['x', 'y'] } }, { a: { b: 'z' } }, false],
    ['false, which is not nothing', { a: [false] }, { a: false }, true],
    ['false where there is nothing', { a: [false] }, {}, false],
    ['a prefix', { a: [{ prefix: 'event#' }] }, { a: 'event#1' }, true],
    ['another prefix', { a: [{ prefix: 'event#' }] }, { a: 'port' }, false],
    ['something there', { a: { S: [{ exists: true }] } }, { a: { S: '' } }, true],
    ['something missing', { a: { S: [{ exists: true }] } }, {}, false],
    ['nothing there', { a: { S: [{ exists: false }] } }, {}, true],
    ['anything but', { a: [{ 'anything-but': ['0'] }] }, { a: '1' }, true],
    ['anything but that', { a: [{ 'anything-but': ['0'] }] }, { a: '0' }, false],
    ['two members, one of them wrong', { a: ['1'], b: ['2'] }, { a: '1', b: '3' }, false],
    ['what is not known yet', { a: { b: ['x'] }, c: ['y'] }, { a: notKnown, c: 'y' }, true],
  ])('for %s', (_, pattern, event, passes) => {
    expect(matches(pattern, event)).toBe(passes);
  });

  test('with an unknown condition is an error that shows it', () => {
    expect(() => matches({ a: [{ numeric: ['>', 0] }] }, {})).toThrow(
      'the emulator does not know a condition of the filter {"a":[{"numeric"',
    );
  });
});

test('one of several patterns is enough, and without any every event passes', () => {
  expect(createFilter(['{"a":["1"]}', '{"b":["2"]}'])({ b: '2' })).toBe(true);
  expect(createFilter([])({})).toBe(true);
});
