// Every interval and limit of a run of sync. How often a port is read depends on its status:
// shared/port/port-status.ts.

const second = 1_000;
const minute = 60 * second;
/** Settings are in hours. */
export const hourMs = 60 * minute;

/** The lease of a run, so that runs never overlap (fault 47). */
export const runLease = {
  /** How long a run that died keeps others out. */
  durationMs: 30 * second,
  /** A renewal may fail twice before the lease expires. */
  renewalMs: 10 * second,
  /** A run that could not renew its lease stops this long before another run may start. */
  marginMs: 5 * second,
};

/** Cancelling a port that is to be replaced, in calendar time. */
export const cancellation = {
  /** The service takes some time (spec): only after this long without news is the port read, and cancelled again. */
  retryMs: 10 * minute,
  /** When the port is read first after its cancellation was requested. */
  firstReadMs: minute,
};

/**
 * How long after the call, in calendar time, a SIM with other services counts as not set yet: the service describes no
 * time by which it has set a service.
 */
export const settingSimsMs = 60 * minute;

/** Looking for uploads whose event was lost (fault 6). */
export const inboxSweep = {
  everyMs: hourMs,
  /** A younger upload may still be waiting in the queue. */
  youngestMs: 30 * minute,
  /** An older upload was checked two dozen times already. */
  oldestMs: 24 * hourMs,
  /** 50 pages of the bucket. In a larger inbox the next sweep continues after the last key. */
  versions: 50_000,
  /** Imports of one day. */
  imports: 10_000,
};

/** Reading the list for ports that were created late. */
export const lateCommits = {
  everyMs: hourMs,
  /** Pages that one hour reads: all of a short list, and the whole of a long one in 20 hours. */
  pagesOf: (listed: number): number => Math.max(20, Math.ceil(listed / 20)),
  /** Older imports send nothing: their plans were deleted (`retention.planDays`). */
  oldestMs: 90 * 24 * hourMs,
  imports: 10_000,
};

/** Announcing imports again that no message works on: shared/import/import-state.ts has how often, and for how long. */
export const importRescue = {
  /** The same import is not announced again before. One that is worked on is renewed, and never announced. */
  everyMs: 15 * minute,
  imports: 1_000,
};

/** How long no other run tries to write the reference data, while one writes it or after it failed. */
export const referenceDataRetryMs = 15 * minute;
/** The shortest wall time between two writings. */
export const referenceDataPauseMs = minute;

/** Work that one run takes on. What is left is the first of the next run. */
export const runLimits = {
  /**
   * Due ports and due requests, each. More than a run can read, because a page of the list should find all of its ports
   * among those that are due. This number of ports takes about 100 MB.
   */
  dueItems: 100_000,
  /** SIMs whose services are compared. They can wait, so they take a minute of a run at most. */
  sims: 1_000,
  /** A large import has thousands of messages that only wait in the queue, and to send one again costs a write. */
  lostMessages: 500,
  /** Requests whose day has come. */
  scheduled: 2_000,
  comparisons: 500,
  notifications: 500,
  resolutions: 100,
  /** Pages of the list of ports that is read for people: 100,000 ports, 150 MB with 20 numbers each. */
  listedPages: 2_000,
  /** Ports that were made elsewhere whose numbers are read with the list. */
  portDetails: 500,
};

/** Reads and writes of the table at the same time. */
export const concurrency = 4;

/** How far the clock of the service may be from the wall clock before `doctor` warns. */
export const clockToleranceMs = 60_000;
