// Queues and messages in one SQLite database, in memory or in a file.
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../clock.ts';
import { Database, type Row } from '../database.ts';

/** A binary value is in base64. */
export const messageAttribute = z.looseObject({
  DataType: z.string().optional(),
  StringValue: z.string().optional(),
  BinaryValue: z.string().optional(),
});
export type MessageAttribute = z.output<typeof messageAttribute>;

export interface NewMessage {
  readonly body: string;
  readonly delayMs: number;
  /** The MessageAttributes and the system attributes (AWSTraceHeader, MessageGroupId) of the call. */
  readonly attributes: Readonly<Record<string, MessageAttribute>>;
  readonly systemAttributes: Readonly<Record<string, string>>;
}

export interface StoredMessage extends Omit<NewMessage, 'delayMs'> {
  readonly id: string;
  readonly receipt: string | null;
  readonly sentAt: number;
  /** The message is hidden until then: it is delayed, or a consumer has received it. */
  readonly visibleAt: number;
  readonly receiveCount: number;
  readonly firstReceivedAt: number | null;
  /** The queue from which it was dead-lettered. */
  readonly deadLetteredFrom: string | null;
}

export interface Queue {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface ReceiveOptions {
  readonly limit: number;
  readonly visibilityMs: number;
  /** A message that was received more often moves to the queue `deadLetterQueue`. */
  readonly redrive: { readonly deadLetterQueue: string; readonly maxReceiveCount: number } | undefined;
}

export interface Depth {
  readonly ready: number;
  readonly delayed: number;
  readonly inFlight: number;
}

const schema = `
  CREATE TABLE IF NOT EXISTS queues (name TEXT PRIMARY KEY, attributes TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS messages (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL,
    attributes TEXT NOT NULL, systemAttributes TEXT NOT NULL, turn INTEGER NOT NULL, sentAt REAL NOT NULL,
    visibleAt REAL NOT NULL, receipt TEXT, receiveCount INTEGER NOT NULL DEFAULT 0, firstReceivedAt REAL,
    deadLetteredFrom TEXT);
  CREATE INDEX IF NOT EXISTS inTurn ON messages (queue, turn, sequence);
  CREATE INDEX IF NOT EXISTS byVisibility ON messages (queue, visibleAt);
  CREATE INDEX IF NOT EXISTS byReceipt ON messages (receipt);`;

const toMessage = (row: Row): StoredMessage =>
  ({
    ...row,
    attributes: JSON.parse(String(row.attributes)),
    systemAttributes: JSON.parse(String(row.systemAttributes)),
  }) as unknown as StoredMessage;
const toQueue = (row: Row): Queue => ({ ...row, attributes: JSON.parse(String(row.attributes)) }) as unknown as Queue;

export class MessageStore {
  readonly #database: Database;
  readonly #clock: Clock;
  /** The turn of the last message of each group of a queue, and the turn of the last received message of each queue. */
  readonly #groupTurns = new Map<string, number>();
  readonly #currentTurns = new Map<string, number>();

  /** @param file where everything is kept; in memory where undefined. */
  constructor(file: string | undefined, clock: Clock) {
    this.#database = new Database(file ?? ':memory:', schema);
    this.#clock = clock;
    const now = clock();
    // The consumers of an earlier run are gone, and a delay must not grow where the clock was set back since.
    this.#database.run('UPDATE messages SET visibleAt = ?, receipt = NULL WHERE receipt IS NOT NULL', now);
    this.#database.run('UPDATE messages SET visibleAt = visibleAt - sentAt + ? WHERE sentAt > ?', now, now);
  }

  close(): void {
    this.#database.close();
  }

  queues(prefix: string): Queue[] {
    const sql = 'SELECT * FROM queues WHERE substr(name, 1, ?) = ? ORDER BY name';
    return this.#database.all(sql, prefix.length, prefix).map(toQueue);
  }

  findQueue(name: string): Queue | undefined {
    return this.#database.all('SELECT * FROM queues WHERE name = ?', name).map(toQueue)[0];
  }

  saveQueue({ name, attributes }: Queue): void {
    this.#database.run('INSERT OR REPLACE INTO queues VALUES (?, ?)', name, JSON.stringify(attributes));
  }

  /** @returns the id of the message */
  send(queue: string, { body, delayMs, attributes, systemAttributes }: NewMessage): string {
    const id = randomUUID();
    const now = this.#clock();
    const columns = 'queue, id, body, attributes, systemAttributes, turn, sentAt, visibleAt';
    this.#database.run(
      `INSERT INTO messages (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      queue,
      id,
      body,
      JSON.stringify(attributes),
      JSON.stringify(systemAttributes),
      this.#nextTurn(queue, systemAttributes.MessageGroupId),
      now,
      now + delayMs,
    );
    return id;
  }

  /** Hides the messages that it returns. A message that was received too often is dead-lettered instead. */
  receive(queue: string, { limit, visibilityMs, redrive }: ReceiveOptions): StoredMessage[] {
    const now = this.#clock();
    const visible = 'SELECT * FROM messages WHERE queue = ? AND visibleAt <= ? ORDER BY turn, sequence LIMIT ?';
    return this.#database.transaction(() =>
      this.#database.all(visible, queue, now, limit).flatMap((row) => {
        const receiveCount = Number(row.receiveCount) + 1;
        if (redrive !== undefined && receiveCount > redrive.maxReceiveCount) {
          this.#moveToDeadLetters(row, redrive.deadLetterQueue);
          return [];
        }
        this.#currentTurns.set(queue, Math.max(this.#currentTurns.get(queue) ?? 0, Number(row.turn)));
        const receipt = randomUUID();
        const firstReceivedAt = row.firstReceivedAt ?? now;
        this.#database.run(
          'UPDATE messages SET visibleAt = ?, receipt = ?, receiveCount = ?, firstReceivedAt = ? WHERE sequence = ?',
          now + visibilityMs,
          receipt,
          receiveCount,
          firstReceivedAt,
          row.sequence ?? null,
        );
        return [toMessage({ ...row, receipt, receiveCount, firstReceivedAt })];
      }),
    );
  }

  /** Deletes nothing where no message of the queue has this receipt any more. */
  delete(queue: string, receipt: string): void {
    this.#database.run('DELETE FROM messages WHERE receipt = ? AND queue = ?', receipt, queue);
  }

  /** False where no message of the queue has this receipt any more. */
  changeVisibility(queue: string, receipt: string, visibilityMs: number): boolean {
    const sql = 'UPDATE messages SET visibleAt = ? WHERE receipt = ? AND queue = ?';
    return this.#database.run(sql, this.#clock() + visibilityMs, receipt, queue);
  }

  purge(queue: string): void {
    this.#database.run('DELETE FROM messages WHERE queue = ?', queue);
  }

  /** Moves what waits in a dead-letter queue back to the queues that it came from. */
  moveBack(queue: string, destination?: string): void {
    this.#database.run(
      `UPDATE messages SET queue = COALESCE(?, deadLetteredFrom), receiveCount = 0
       WHERE queue = ? AND deadLetteredFrom IS NOT NULL AND visibleAt <= ?`,
      destination ?? null,
      queue,
      this.#clock(),
    );
  }

  /** When the next message of a queue is visible: in the past where one became visible after the last receive. */
  nextVisibleAt(queue: string): number | undefined {
    const at = this.#database.one('SELECT MIN(visibleAt) AS at FROM messages WHERE queue = ?', queue)?.at;
    return typeof at === 'number' ? at : undefined;
  }

  depth(queue: string): Depth {
    const sql = `SELECT SUM(visibleAt <= ?) AS ready, SUM(visibleAt > ? AND receipt IS NULL) AS delayed,
      SUM(visibleAt > ? AND receipt IS NOT NULL) AS inFlight FROM messages WHERE queue = ?`;
    const now = this.#clock();
    const row = this.#database.one(sql, now, now, now, queue);
    return { ready: Number(row?.ready), delayed: Number(row?.delayed), inFlight: Number(row?.inFlight) };
  }

  messages(queue: string): StoredMessage[] {
    return this.#database.all('SELECT * FROM messages WHERE queue = ? ORDER BY turn, sequence', queue).map(toMessage);
  }

  #moveToDeadLetters({ sequence = null }: Row, deadLetterQueue: string): void {
    this.#database.run(
      'UPDATE messages SET deadLetteredFrom = queue, queue = ?, visibleAt = ?, receipt = NULL WHERE sequence = ?',
      deadLetterQueue,
      this.#clock(),
      sequence,
    );
  }

  /**
   * Fair queues: a group's next message comes one turn after its last, so a group with few messages overtakes one with
   * many. A message without a group takes the current turn. Stored messages keep their order over a restart.
   */
  #nextTurn(queue: string, group: string | undefined): number {
    const stored = () => this.#database.one('SELECT MIN(turn) AS turn FROM messages WHERE queue = ?', queue);
    const current = this.#currentTurns.get(queue) ?? Number(stored()?.turn ?? 0);
    this.#currentTurns.set(queue, current);
    if (group === undefined) return current;
    const turn = Math.max(current, (this.#groupTurns.get(`${queue} ${group}`) ?? -1) + 1);
    this.#groupTurns.set(`${queue} ${group}`, turn);
    return turn;
  }
}
