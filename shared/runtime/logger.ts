// Structured JSON logs, one line per entry, with PACs, tokens and secrets taken out (decision 44).
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

const levels = ['DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT'] as const;
type Level = (typeof levels)[number];

export interface LogSettings {
  /** The pipeline stage: ingest, submit, sync, report, announce. */
  readonly service: string;
  /** Entries below it are not written. @default - the function's own log level (`AWS_LAMBDA_LOG_LEVEL`), else INFO */
  readonly level?: Level;
}

/** Writes to stdout, warnings and errors to stderr: past `console`, to which Lambda adds words of its own. */
export function createLog({ service, level = levelOf(process.env.AWS_LAMBDA_LOG_LEVEL) }: LogSettings): Log {
  return logFrom(levels.indexOf(level), service, {});
}

function logFrom(threshold: number, service: string, standing: LogFields): Log {
  const at =
    (level: Exclude<Level, 'SILENT'>) =>
    (message: string, fields: LogFields = {}) => {
      if (levels.indexOf(level) < threshold) return;
      const head = { level, message: redactText(message), timestamp: new Date().toISOString(), service };
      // Spread twice: the head stands first, and no field can take its place.
      const entry = { ...head, ...(redact({ ...standing, ...fields }) as LogFields), ...head };
      const stream = level === 'WARN' || level === 'ERROR' ? process.stderr : process.stdout;
      stream.write(`${JSON.stringify(entry)}\n`);
    };
  return {
    debug: at('DEBUG'),
    info: at('INFO'),
    warn: at('WARN'),
    error: at('ERROR'),
    with: (fields) => logFrom(threshold, service, { ...standing, ...fields }),
  };
}

/** Lambda knows two levels more: TRACE is as good as DEBUG, and nothing here is worse than an error. */
function levelOf(setting: string | undefined): Level {
  if (setting === 'TRACE') return 'DEBUG';
  if (setting === 'FATAL') return 'SILENT';
  return levels.find((level) => level === setting) ?? 'INFO';
}
