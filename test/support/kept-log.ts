// A logger that keeps its entries, for tests of log texts.
import type { Log, LogFields } from '#shared/runtime/logger.ts';

export interface LogEntry {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: LogFields;
}

/** `entries`, the oldest first, each with the common fields of its logger. */
export function startKeptLog(entries: LogEntry[] = [], standing: LogFields = {}): { log: Log; entries: LogEntry[] } {
  const keep =
    (level: LogEntry['level']) =>
    (message: string, fields: LogFields = {}) =>
      void entries.push({ level, message, fields: { ...standing, ...fields } });
  const log: Log = {
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
    with: (fields) => startKeptLog(entries, { ...standing, ...fields }).log,
  };
  return { log, entries };
}
