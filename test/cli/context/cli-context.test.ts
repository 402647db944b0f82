// How commands wait for a condition, and ask whether a person agrees.
import { describe, expect, it } from 'vitest';
import { isConfirmed, waitFor } from '#cli/context/cli-context.ts';

function createClock() {
  let now = 0;
  const waits: number[] = [];
  const wait = async (milliseconds: number) => {
    waits.push(milliseconds);
    now += milliseconds;
  };
  return { clock: () => now, wait, waits };
}

describe('waitFor', () => {
  it('reads at once, and again after each pause, which gets longer up to the longest', async () => {
    const context = createClock();
    const answers = [undefined, undefined, undefined, undefined, 'done'];
    expect(await waitFor(context, async () => answers.shift(), { firstMs: 25, mostMs: 60 })).toBe('done');
    expect(context.waits).toEqual([25, 50, 60, 60]);
  });

  it('reads once more when the time is over, and then throws the error of its limit', async () => {
    const context = createClock();
    const readAt: number[] = [];
    const read = async () => void readAt.push(context.clock());
    const limit = { withinMs: 500, tooLate: () => new Error('it took too long') };
    await expect(waitFor(context, read, { firstMs: 200 }, limit)).rejects.toThrow('it took too long');
    expect(readAt).toEqual([0, 200, 400, 600]);
  });
});

describe('isConfirmed', () => {
  const asked = async (answer: string) => {
    const questions: string[] = [];
    const ask = async (question: string) => {
      questions.push(question);
      return answer;
    };
    return [await isConfirmed({ ask }, 'Send 3 numbers'), questions];
  };

  it.each(['y', 'Y', 'yes'])('is the answer %j', async (answer) => {
    expect(await asked(answer)).toEqual([true, ['Send 3 numbers (y/N)? ']]);
  });

  it.each(['', 'n', 'yep'])('is not the answer %j', async (answer) => {
    expect((await asked(answer))[0]).toBe(false);
  });

  it('is true where no person can be asked', async () => {
    expect(await isConfirmed(undefined, 'Send 3 numbers')).toBe(true);
  });
});
