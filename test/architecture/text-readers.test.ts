// Every function that reads texts of strangers is measured: test/security/growth.slow.test.ts finds one whose time
// grows faster than the text. Here, a function that is in neither of its lists is found.
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { globFiles } from '../support/glob-files.ts';
import { readElsewhere, terminalReaders, textReaders } from '../support/growth/readers.ts';

const root = new URL('../../', import.meta.url);

/** What people and other systems write is read there. */
const places = [
  'shared/{row,text}/*.ts',
  'shared/files/**/*.ts',
  'shared/operations/columns/*.ts',
  'shared/results/{findings,mask-cells}.ts',
  'shared/service/{classify-response,service-texts}.ts',
  'shared/store/search-number.ts',
  'cli/output/text.ts',
  'console/screens/review/edits.ts',
];

const textType =
  /^(?:(?:readonly )?string(?:\[\])?(?: \| undefined)?|readonly \(?readonly string\[\]\)?\[\]|AsyncIterable<Uint8Array>|Chunks|Buffer|Uint8Array|unknown|ReadColumns)$/;

type Named = readonly [name: string, parameters: readonly ts.ParameterDeclaration[]];

/** The functions that a statement exports. */
function exportedBy(statement: ts.Statement): Named[] {
  const isExported = ts.canHaveModifiers(statement)
    ? ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    : false;
  if (!isExported) return [];
  if (ts.isFunctionDeclaration(statement)) return [[statement.name?.text ?? '', [...statement.parameters]]];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }): Named[] =>
    initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
      ? [[name.getText(), [...initializer.parameters]]]
      : [],
  );
}

function readersIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const takesText = ({ type }: ts.ParameterDeclaration) => type !== undefined && textType.test(type.getText());
  return source.statements
    .flatMap(exportedBy)
    .flatMap(([name, parameters]) => (parameters.some(takesText) ? [`${file}#${name}`] : []));
}

test('a function that takes a text is found, however it is written', () => {
  const text = `
    export const isCode = (text: string): boolean => pattern.test(text);
    export async function readAll(source: AsyncIterable<Uint8Array>, limit = 1): Promise<void> {}
    export const titlesOf = (cells: readonly string[]) => cells;
    export const sum = (one: number) => one;
    const own = (text: string) => text;`;
  expect(readersIn('a.ts', text)).toEqual(['a.ts#isCode', 'a.ts#readAll', 'a.ts#titlesOf']);
});

test('each function that reads texts of strangers is measured, or has a reason why not', () => {
  const files = globFiles(places, { cwd: root }).filter((file) => !file.endsWith('.d.ts'));
  const found = files.flatMap((file) => readersIn(file, readFileSync(new URL(file, root), 'utf8')));
  expect(found.length).toBeGreaterThan(100);
  const listed = new Set([textReaders, terminalReaders, readElsewhere].flatMap(Object.keys));
  const advice = 'add these to a list in test/support/growth/readers.ts, or do not export them';
  expect(
    found.filter((name) => !listed.has(name)),
    advice,
  ).toEqual([]);
  const named = [...listed].filter((name) => name.includes('#'));
  const gone = 'remove these from test/support/growth/readers.ts';
  expect(
    named.filter((name) => !found.includes(name)),
    gone,
  ).toEqual([]);
});
