// How long a call of AWS may be silent. Without these limits the AWS SDK waits for ever: an S3 object whose bytes stop
// to arrive would keep a function until Lambda ends it.

const connectMs = 3_000;
/**
 * Less than a step keeps for its end (`timeNeeded.cleanUp`), so that it learns of the failure while it can still record
 * how far it came.
 */
const silenceMs = 12_000;

/** For every client of the AWS SDK. `socketTimeout` covers the wait for an answer, and each pause in its body. */
export const clientTimeouts = { requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs } } as const;

/** For calls that answer only when a function ends. */
export const invocationTimeouts = { requestHandler: { connectionTimeout: connectMs, socketTimeout: 905_000 } } as const;
