// Structured JSON logs, one line per entry, with PACs, tokens, secrets and phone numbers taken out (decision 44).
import { Logger } from '@aws-lambda-powertools/logger';
import type { LogAttributes } from '@aws-lambda-powertools/logger/types';
import { redact, redactText } from '#shared/domain/redact.ts';

export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** Put what was thrown under `error`: its name, message, stack and causes are kept. */
  error(message: string, fields?: LogFields): void;
  /** The same log with fields that stand on every entry, such as `importId`. */
  with(fields: LogFields): Log;
}

export interface LogSettings {
  /** The pipeline stage: ingest, submit, sync, report. */
  readonly service: string;
  readonly level?: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR' | 'SILENT';
}

/** Writes to stdout and stderr; `POWERTOOLS_LOG_LEVEL` and the function's own log level setting hold where none is given. */
export function createLog({ service, level }: LogSettings): Log {
  return logOver(new Logger({ serviceName: service, ...(level === undefined ? {} : { logLevel: level }) }));
}

function logOver(logger: Logger, standing: LogFields = {}): Log {
  const entry = (message: string, fields: LogFields = {}) => {
    return [redact(redactText(message)) as string, redact({ ...standing, ...fields }) as LogAttributes] as const;
  };
  return {
    debug: (message, fields) => logger.debug(...entry(message, fields)),
    info: (message, fields) => logger.info(...entry(message, fields)),
    warn: (message, fields) => logger.warn(...entry(message, fields)),
    error: (message, fields) => logger.error(...entry(message, fields)),
    with: (fields) => logOver(logger, { ...standing, ...fields }),
  };
}
