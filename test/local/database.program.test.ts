// A deleted row leaves its bytes in the file of a SQLite database, and in its log.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Database, eraseDeleted } from '#local/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'simporter-database-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('no byte of a deleted row is left once it is erased, and the database stays usable', () => {
  const file = join(folder, 'items.sqlite');
  const database = new Database(file, 'CREATE TABLE item (id INTEGER PRIMARY KEY, text TEXT)');
  for (let id = 1; id <= 500; id += 1)
    database.run('INSERT INTO item VALUES (?, ?)', id, `number ${447_700_900_000 + id}`);
  database.run('DELETE FROM item WHERE id > 1');
  const isStored = (text: string) =>
    [file, `${file}-wal`].some((name) => existsSync(name) && readFileSync(name).includes(text));
  expect(isStored('447700900400')).toBe(true);
  eraseDeleted(file);
  expect(isStored('447700900400')).toBe(false);
  expect(database.run('INSERT INTO item VALUES (2, ?)', 'after')).toBe(true);
  expect(database.all('SELECT text FROM item')).toEqual([{ text: 'number 447700900001' }, { text: 'after' }]);
  database.close();
});
