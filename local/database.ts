// A SQLite database of the emulator, in a file or in memory.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** How long a write waits while a command erases what deleted rows left. */
const patienceMs = 10_000;

/** The bytes of deleted rows stay in a file and its log until they are overwritten: this erases them. */
export function eraseDeleted(file: string): void {
  const database = new DatabaseSync(file, { timeout: patienceMs });
  try {
    database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}

export type Row = Record<string, SQLInputValue>;

export class Database {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** @throws Error that names the file, where it is damaged or cannot be opened */
  constructor(file: string, schema: string) {
    try {
      this.#database = new DatabaseSync(file, { timeout: patienceMs });
      this.#database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${schema}`);
    } catch (cause) {
      const advice = 'Restore it, or start with another folder.';
      throw new Error(`${file} cannot be opened: ${(cause as Error).message}. ${advice}`, { cause });
    }
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  one(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  /** @returns whether a row was changed */
  run(sql: string, ...values: SQLInputValue[]): boolean {
    return this.#prepare(sql).run(...values).changes > 0;
  }

  /** Where `work` throws, for instance because the disk is full, nothing of it is kept. */
  transaction<Result>(work: () => Result): Result {
    this.#database.exec('BEGIN');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
