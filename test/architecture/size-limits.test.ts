// Files, functions and parameter lists stay small enough to read. No exported function has a boolean flag, because a
// call does not show what `true` means. No literal is spread into another one, which only hides its members.
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { globFiles } from '../support/glob-files.ts';

const root = new URL('../../', import.meta.url);
const folders = ['infra', 'functions', 'simulator', 'shared', 'local', 'cli', 'console', 'bench'];

const limits = { fileLines: 400, functionLines: 60, parameters: 5 };

const lineCount = (text: string): number => text.split('\n').length - 1;

const isExported = (node: ts.Node): boolean => {
  const declaration = ts.isVariableDeclaration(node.parent) ? node.parent.parent.parent : node;
  return (ts.getCombinedModifierFlags(declaration as ts.Declaration) & ts.ModifierFlags.Export) !== 0;
};

const isBoolean = ({ type, initializer }: ts.ParameterDeclaration): boolean =>
  type?.kind === ts.SyntaxKind.BooleanKeyword ||
  initializer?.kind === ts.SyntaxKind.TrueKeyword ||
  initializer?.kind === ts.SyntaxKind.FalseKeyword;

function parse(file: string, text: string): ts.SourceFile {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
}

function tooLarge(file: string, text: string): string[] {
  const source = parse(file, text);
  const found = lineCount(text) > limits.fileLines ? [`${file}: ${lineCount(text)} lines`] : [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const place = `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
      const lines = lineCount(node.getText()) + 1;
      if (lines > limits.functionLines) found.push(`${place}: a function of ${lines} lines`);
      if (node.parameters.length > limits.parameters) found.push(`${place}: ${node.parameters.length} parameters`);
      if (isExported(node) && node.parameters.some(isBoolean)) found.push(`${place}: a boolean flag`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test.each([
  ['a file', 'const a = 1;\n'.repeat(401), 'sample.ts: 401 lines'],
  ['a function', `function long() {\n${'  call();\n'.repeat(59)}}`, 'sample.ts:1: a function of 61 lines'],
  ['a parameter list', 'const f = (a, b, c, d, e, f) => a;', 'sample.ts:1: 6 parameters'],
  ['a flag', 'export function f(isStrict: boolean) {}', 'sample.ts:1: a boolean flag'],
  ['a flag with a default', 'export const f = (isStrict = false) => isStrict;', 'sample.ts:1: a boolean flag'],
])('%s that is too large is found', (_what, text, expected) => {
  expect(tooLarge('sample.ts', text)).toEqual([expected]);
});

test('no file, function or parameter list of the product is too large', () => {
  const sources = folders
    .flatMap((folder) => globFiles(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
    .filter((file) => !file.includes('node_modules/'));
  expect(sources.length).toBeGreaterThan(400);
  expect(sources.flatMap((file) => tooLarge(file, readFileSync(new URL(file, root), 'utf8')))).toEqual([]);
});

function spreadLiterals(file: string, text: string): string[] {
  if (!/\.\.\.[[{]/.test(text)) return [];
  const source = parse(file, text);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isSpread = ts.isSpreadElement(node) || ts.isSpreadAssignment(node);
    if (isSpread && (ts.isObjectLiteralExpression(node.expression) || ts.isArrayLiteralExpression(node.expression)))
      found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test.each([
  ['an object', 'const sum = { ...{ sent: 0, adopted: 0 }, ...counts };', ['sample.ts:1']],
  ['an array', "const names = [\n  ...['a', 'b'],\n  ...others,\n];", ['sample.ts:2']],
  ['an argument', 'call(...[1, 2]);', ['sample.ts:1']],
  ['no list that is computed', "const columns = [...['a', 'b'].map(column), ...[...seen].sort()];", []],
])('a spread of a literal is found: %s', (_what, text, expected) => {
  expect(spreadLiterals('sample.ts', text)).toEqual(expected);
});

test('no literal is spread', () => {
  const sources = [...folders, 'packages', 'site', 'test']
    .flatMap((folder) => globFiles(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
    .filter((file) => !file.includes('node_modules/'));
  expect(sources.length).toBeGreaterThan(1_000);
  expect(sources.flatMap((file) => spreadLiterals(file, readFileSync(new URL(file, root), 'utf8')))).toEqual([]);
});
