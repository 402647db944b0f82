// Which rows may be sent again, and with which operation.
import { expect, test } from 'vitest';
import { outcomeOrder, outcomes, problemOutcomes, sendableAgain } from '#shared/outcome/outcome.ts';
import { correctionKindsOf, correctionOf, waitingResult } from '#shared/outcome/row-result.ts';

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
