// Counts of outcomes in words, in the order of every surface.
import { describe, expect, test } from 'vitest';
import {
  accountedFor,
  describeOutcomes,
  outcomeOrder,
  outcomes,
  outcomeWords,
  problemOutcomes,
  requestStateWords,
  sendableAgain,
  sharesOf,
  succeeded,
  successWord,
} from '#shared/outcome/outcome.ts';
import { correctionKindsOf, correctionOf, waitingResult } from '#shared/outcome/row-result.ts';
import { requestStates } from '#shared/request/request.ts';

test('every outcome and every state of a request has its word, and one that both have is the same', () => {
  expect(Object.keys(outcomeWords).sort()).toEqual([...outcomes].sort());
  expect(Object.values(outcomeWords)).toEqual([
    'ported',
    'accepted',
    'action required',
    'outcome unknown',
    'waiting',
    'scheduled',
    'in progress',
    'declined',
    'skipped',
    'cancelled',
    'not sent',
    'duplicate',
    'invalid',
  ]);
  expect(requestStates.map((state) => requestStateWords[state])).toEqual([
    'waiting',
    'scheduled',
    'being sent',
    'outcome unknown',
    'created',
    'accepted',
    'declined',
    'skipped',
    'action required',
  ]);
});

describe('counts of outcomes', () => {
  test('name successful rows of all rows first, then every other outcome, the most urgent first', () => {
    const outcomes = { rejected: 12, 'in-progress': 1185, complete: 120, 'action-required': 3, skipped: 0 };
    expect(describeOutcomes(outcomes, 1320)).toBe(
      '120 of 1,320 ported, 3 action required, 1,185 in progress, 12 invalid',
    );
    expect(sharesOf(outcomes)).toEqual([
      { outcome: 'complete', word: 'ported', rows: 120 },
      { outcome: 'action-required', word: 'action required', rows: 3 },
      { outcome: 'in-progress', word: 'in progress', rows: 1185 },
      { outcome: 'rejected', word: 'invalid', rows: 12 },
    ]);
  });

  test('count duplicates apart from invalid rows', () => {
    expect(describeOutcomes({ complete: 394, duplicate: 6 }, 400)).toBe('394 of 400 ported, 6 duplicates');
    expect(describeOutcomes({ complete: 394, duplicate: 1 }, 400)).toBe('394 of 400 ported, 1 duplicate');
  });

  test('state that nothing succeeded', () => {
    expect(describeOutcomes({ declined: 318 }, 318)).toBe('0 of 318 ported, 318 declined');
    expect(describeOutcomes({ declined: 2 }, 2, 'send-sms')).toBe('0 of 2 accepted, 2 declined');
    expect(describeOutcomes({ declined: 2 }, 2, null)).toBe('0 of 2 accepted, 2 declined');
  });

  test('add up what was ported and what was accepted', () => {
    expect([succeeded({}), succeeded({ complete: 2, accepted: 3, declined: 4 })]).toEqual([0, 5]);
    expect(describeOutcomes({ accepted: 2, waiting: 1 }, 3)).toBe('2 of 3 accepted, 1 waiting');
    expect(accountedFor({ complete: 2, waiting: 3, declined: 4 })).toBe(9);
    expect(successWord({ accepted: 2 })).toBe('accepted');
    expect(successWord({ accepted: 2 }, 'create-port')).toBe('ported');
    expect(successWord({})).toBe('ported');
  });
});

// Which rows may be sent again, and with which operation.
describe('rows that may be sent again', () => {
  test('every outcome has one place in the order of counts', () => {
    expect([...outcomeOrder].sort()).toEqual([...outcomes].sort());
  });

  test('a row that was sent and did not end without success is never sent again', () => {
    const kept = outcomes.filter((outcome) => !sendableAgain.has(outcome));
    expect([...kept].sort()).toEqual([
      'accepted',
      'action-required',
      'complete',
      'in-progress',
      'scheduled',
      'unknown',
      'waiting',
    ]);
  });

  test('a problem is a row that a person must fix, import again or check', () => {
    const others = outcomes.filter((outcome) => !problemOutcomes.includes(outcome));
    expect([...others].sort()).toEqual([
      'accepted',
      'cancelled',
      'complete',
      'duplicate',
      'in-progress',
      'scheduled',
      'waiting',
    ]);
  });

  test('an import that creates ports can have corrections of its ports', () => {
    expect(correctionKindsOf('create-port')).toEqual(['update-port', 'create-port']);
    expect(correctionKindsOf('send-sms')).toEqual(['send-sms']);
    expect(correctionKindsOf(null)).toEqual([]);
  });

  test('a row with an invalid PAC in a port is amended, a declined row is imported again, and others have no file', () => {
    const row = { ...waitingResult, status: 'PacInvalid' };
    expect(correctionOf({ ...row, outcome: 'action-required' }, 'create-port')).toBe('update-port');
    expect(correctionOf({ ...row, outcome: 'action-required', status: 'Cancelled' }, 'create-port')).toBeNull();
    expect(correctionOf({ ...row, outcome: 'in-progress' }, 'create-port')).toBeNull();
    expect(correctionOf({ ...row, outcome: 'declined' }, 'send-sms')).toBe('send-sms');
  });
});
