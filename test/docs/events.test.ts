// docs/reference/events.md and its schemas are equal to the code: every member, and an example.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type EventName, eventDetails, eventNames } from '#shared/api/events.ts';

interface MemberSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly items?: MemberSchema;
  readonly anyOf?: readonly MemberSchema[];
  readonly additionalProperties?: MemberSchema;
  readonly description?: string;
}

const docs = join(import.meta.dirname, '..', '..', 'docs', 'reference');
/** For consumers: members that are added later do not break them. */
const schemaOf = (name: EventName) => ({
  ...z.toJSONSchema(eventDetails[name], { io: 'input' }),
  title: `${name}, version 1`,
});

const longList = 4;
function typeOf({ type, enum: values, const: only, items, anyOf, additionalProperties }: MemberSchema): string {
  if (only !== undefined) return `\`${only}\``;
  if (values !== undefined && values.length <= longList) return values.map((value) => `\`${value}\``).join(', ');
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if (type === 'array') return `list of ${typeOf(items ?? {})}s`;
  if (type === 'object') return `${typeOf(additionalProperties ?? {})} by name`;
  return type ?? '?';
}

const rowsOf = (name: EventName): string[] => {
  const { properties = {}, required = [] } = schemaOf(name);
  return Object.entries(properties as Record<string, MemberSchema>).map(
    ([member, schema]) =>
      `| \`${member}\`${required.includes(member) ? '' : ' (optional)'} | ${typeOf(schema)} | ${schema.description} |`,
  );
};

/** Members that all of these events have: the page lists them once. */
const commonRows = ([first, ...others]: readonly EventName[]): string[] =>
  first === undefined ? [] : rowsOf(first).filter((row) => others.every((name) => rowsOf(name).includes(row)));
const importEvents = eventNames.filter((name) => name.startsWith('Import'));
const everyEvent = commonRows(eventNames);
const everyImport = commonRows(importEvents).filter((row) => !everyEvent.includes(row));
const ownRows = (name: EventName): string[] =>
  rowsOf(name).filter((row) => ![...everyEvent, ...(importEvents.includes(name) ? everyImport : [])].includes(row));

const page = await readFile(join(docs, 'events.md'), 'utf8');
const sectionOf = (title: string): string =>
  new RegExp(`^##+ ${title}$(.*?)(?=^##+ |$(?![\\s\\S]))`, 'ms').exec(page)?.[1] ?? '';
const rowsIn = (title: string): string[] => [...sectionOf(title).matchAll(/^\| `.*$/gm)].map(([row]) => row);

test('members that several events have are on the page once', () => {
  expect(rowsIn('Members of every event')).toEqual(everyEvent);
  expect(rowsIn('Members of events about an import')).toEqual(everyImport);
});

describe.each(eventNames)('%s', (name) => {
  test('is on the page with the members that only it has', () => {
    expect(rowsIn(name)).toEqual(ownRows(name));
  });

  test('has a JSON Schema for readers without TypeScript', async () => {
    const text = `${JSON.stringify(schemaOf(name), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(join(docs, 'events', `${name}.schema.json`));
  });
});

test('the example on the page has the shape of its event and no other member', () => {
  const [, example = ''] = /```json\n(.*?)```/s.exec(sectionOf('ImportFinished')) ?? [];
  expect(eventDetails.ImportFinished.strict().safeParse(JSON.parse(example)).error?.message).toBeUndefined();
});

test('the page lists exactly the events that exist', () => {
  const [, chapters = ''] = /<!-- events -->(.*)<!-- end of events -->/s.exec(page) ?? [];
  expect([...chapters.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual(eventNames);
});
