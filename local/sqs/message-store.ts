// Queues and messages in one SQLite database, in memory or in a file.
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../clock.ts';
import { Database, type Row } from '../database.ts';
import { FairQueue } from './fair-queues.ts';

/** A binary value is in base64. */
export const messageAttribute = z.looseObject({
  DataType: z.string().optional(),
  StringValue: z.string().optional(),
  BinaryValue: z.string().optional(),
});
export type MessageAttribute = z.output<typeof messageAttribute>;

interface NewMessage {
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

interface ReceiveOptions {
  readonly limit: number;
  readonly visibilityMs: number;
  /** A message that was received more often moves to the queue `deadLetterQueue`. */
  readonly redrive: { readonly deadLetterQueue: string; readonly maxReceiveCount: number } | undefined;
}

interface Depth {
  readonly ready: number;
  readonly delayed: number;
  readonly inFlight: number;
}

const schema = `
  CREATE TABLE IF NOT EXISTS queues (name TEXT PRIMARY KEY, attributes TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS messages (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL,
    attributes TEXT NOT NULL, systemAttributes TEXT NOT NULL, sentAt REAL NOT NULL, visibleAt REAL NOT NULL,
    receipt TEXT, receiveCount INTEGER NOT NULL DEFAULT 0, firstReceivedAt REAL, receivedAt REAL, deadLetteredFrom TEXT,
    messageGroup TEXT AS (systemAttributes ->> '$.MessageGroupId'));
  CREATE INDEX IF NOT EXISTS inOrder ON messages (queue, sequence);
  CREATE INDEX IF NOT EXISTS byGroup ON messages (queue, messageGroup, sequence);
  CREATE INDEX IF NOT EXISTS byVisibility ON messages (queue, visibleAt);
  CREATE INDEX IF NOT EXISTS inFlight ON messages (queue, visibleAt, messageGroup) WHERE receipt IS NOT NULL;
  CREATE INDEX IF NOT EXISTS byReceipt ON messages (receipt);`;

const toMessage = (row: Row): StoredMessage =>
  ({
    ...row,
    attributes: JSON.parse(String(row.attributes)),
    systemAttributes: JSON.parse(String(row.systemAttributes)),
  }) as unknown as StoredMessage;
const toQueue = (row: Row): Queue => ({ ...row, attributes: JSON.parse(String(row.attributes)) }) as unknown as Queue;

const groupOf = ({ messageGroup }: Row): string | undefined =>
  typeof messageGroup === 'string' ? messageGroup : undefined;

/** The groups with messages in a queue, each found by one look into the index. The last row is null. */
const groupsOfQueue = `WITH RECURSIVE found(messageGroup) AS (
  SELECT MIN(messageGroup) FROM messages WHERE queue = ? UNION ALL
  SELECT (SELECT MIN(messageGroup) FROM messages WHERE queue = ? AND messageGroup > found.messageGroup) FROM found
  WHERE found.messageGroup IS NOT NULL) SELECT messageGroup FROM found`;

export class MessageStore {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #fairQueues = new Map<string, FairQueue>();

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
    const columns = 'queue, id, body, attributes, systemAttributes, sentAt, visibleAt';
    this.#database.run(
      `INSERT INTO messages (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      queue,
      id,
      body,
      JSON.stringify(attributes),
      JSON.stringify(systemAttributes),
      now,
      now + delayMs,
    );
    return id;
  }

  /** Hides the messages that it returns. A message that was received too often is dead-lettered instead. */
  receive(queue: string, { limit, visibilityMs, redrive }: ReceiveOptions): StoredMessage[] {
    const now = this.#clock();
    return this.#database.transaction(() =>
      this.#deliverable(queue, limit).flatMap((row) => {
        if (row.receipt !== null) this.#endFlight(row);
        const receiveCount = Number(row.receiveCount) + 1;
        if (redrive !== undefined && receiveCount > redrive.maxReceiveCount) {
          this.#moveToDeadLetters(row, redrive.deadLetterQueue);
          return [];
        }
        const receipt = randomUUID();
        const firstReceivedAt = row.firstReceivedAt ?? now;
        this.#database.run(
          `UPDATE messages SET visibleAt = ?, receipt = ?, receiveCount = ?, firstReceivedAt = ?, receivedAt = ?
           WHERE sequence = ?`,
          now + visibilityMs,
          receipt,
          receiveCount,
          firstReceivedAt,
          now,
          row.sequence ?? null,
        );
        return [toMessage({ ...row, receipt, receiveCount, firstReceivedAt })];
      }),
    );
  }

  /** Deletes nothing where no message of the queue has this receipt any more. */
  delete(queue: string, receipt: string): void {
    const sql = 'DELETE FROM messages WHERE receipt = ? AND queue = ? RETURNING *';
    for (const row of this.#database.all(sql, receipt, queue)) this.#endFlight(row);
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
    return this.#database.all('SELECT * FROM messages WHERE queue = ? ORDER BY sequence', queue).map(toMessage);
  }

  #moveToDeadLetters({ sequence = null }: Row, deadLetterQueue: string): void {
    this.#database.run(
      'UPDATE messages SET deadLetteredFrom = queue, queue = ?, visibleAt = ?, receipt = NULL WHERE sequence = ?',
      deadLetterQueue,
      this.#clock(),
      sequence,
    );
  }

  #fairQueue(queue: string): FairQueue {
    const found = this.#fairQueues.get(queue) ?? new FairQueue(this.#clock);
    this.#fairQueues.set(queue, found);
    return found;
  }

  #endFlight(row: Row): void {
    const end = Math.min(this.#clock(), Number(row.visibleAt));
    this.#fairQueue(String(row.queue)).ended(groupOf(row), Math.max(0, end - Number(row.receivedAt)));
  }

  /** The next visible messages: the oldest ones, those of noisy groups last. */
  #deliverable(queue: string, limit: number): Row[] {
    const now = this.#clock();
    // SQLite would sort every visible message.
    const oldest = (index: 'inOrder' | 'byGroup', and = '', ...values: (string | null)[]): Row[] => {
      const from = `SELECT * FROM messages INDEXED BY ${index} WHERE queue = ? ${and}`;
      return this.#database.all(`${from} AND visibleAt <= ? ORDER BY sequence LIMIT ?`, queue, ...values, now, limit);
    };
    const inFlight = this.#inFlight(queue);
    const hasMessages = (group: string): boolean =>
      this.#database.one('SELECT 1 FROM messages WHERE queue = ? AND messageGroup = ? LIMIT 1', queue, group) !==
      undefined;
    const noisy = this.#fairQueue(queue).noisyGroups(inFlight, hasMessages);
    if (noisy.size === 0) return oldest('inOrder');
    const ofGroup = (group: string | undefined): Row[] => oldest('byGroup', 'AND messageGroup IS ?', group ?? null);
    const quiet = this.#database
      .all(groupsOfQueue, queue, queue)
      .map(groupOf)
      .filter((group) => !noisy.has(group ?? ''));
    const found = quiet.flatMap(ofGroup).sort((one, other) => Number(one.sequence) - Number(other.sequence));
    return [...found.slice(0, limit), ...takeInTurn([...noisy], ofGroup, inFlight)].slice(0, limit);
  }

  #inFlight(queue: string): Map<string | undefined, number> {
    const sql = `SELECT messageGroup, COUNT(*) AS messages FROM messages
      WHERE queue = ? AND visibleAt > ? AND receipt IS NOT NULL GROUP BY messageGroup`;
    const rows = this.#database.all(sql, queue, this.#clock());
    return new Map(rows.map((row) => [groupOf(row), Number(row.messages)]));
  }
}

/** Takes each next message from the noisy group with the fewest in flight. */
function* takeInTurn(
  groups: readonly string[],
  messagesOf: (group: string) => Row[],
  inFlight: ReadonlyMap<string | undefined, number>,
): Generator<Row> {
  const left = groups.map((group) => ({ messages: messagesOf(group), taken: inFlight.get(group) ?? 0 }));
  for (;;) {
    const [next] = left.filter(({ messages }) => messages.length > 0).sort((one, other) => one.taken - other.taken);
    const message = next?.messages.shift();
    if (next === undefined || message === undefined) return;
    next.taken += 1;
    yield message;
  }
}
