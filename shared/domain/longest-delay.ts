/** SQS delays a message by no more, so no wait that a message carries is longer. In milliseconds. */
export const longestDelayMs = 15 * 60_000;
