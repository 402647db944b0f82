// Structured JSON logs, one line per entry, without PACs, tokens, secrets and phone numbers (spec gap 44).
import { Logger } from '@aws-lambda-powertools/logger';
import type { LogAttributes } from '@aws-lambda-powertools/logger/types';
import { redact, redactText } from '#shared/row/redact.ts';

export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** Pass what was thrown as `error`: its name, message, stack and causes are logged. */
  error(message: string, fields?: LogFields): void;
  /** The same log with fields on every entry, such as `importId`. */
  with(fields: LogFields): Log;
}

export interface LogSettings {
  /** The step of the pipeline: ingest, submit, sync, report, announce. */
  readonly service: string;
  readonly level?: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR' | 'SILENT';
}

/** Writes to stdout and stderr. @default level - `POWERTOOLS_LOG_LEVEL`, or the log level setting of the function */
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
