// Finds words that the project does not use, and comment or documentation lines above 120 columns. Run it to list what
// it finds: `npm run -s wording -- [path prefix]`.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { type Allowance, allowances, type WordingRule, wordingRules } from './wording-rules.ts';

export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly advice: string;
}

/** A stretch of a file that people read. */
interface Passage {
  readonly kind: 'prose' | 'name';
  readonly at: number;
  readonly text: string;
}

const maxColumns = 120;
const compile = ({ never }: WordingRule): RegExp => new RegExp(never.replaceAll(' ', String.raw`[\s*/>]+`), 'gi');
const proseRules = wordingRules.map((rule) => ({ pattern: compile(rule), advice: rule.write }));
const nameRules = wordingRules
  .filter(({ inNames }) => inNames === true)
  .map((rule) => ({ pattern: compile(rule), advice: rule.write }));

/** Hardly a passage breaks a rule, and one pattern for all rules is a fraction of the work. */
const anyOf = (rules: typeof proseRules): RegExp =>
  new RegExp(rules.map(({ pattern }) => pattern.source).join('|'), 'i');
const anyProseRule = anyOf(proseRules);
const anyNameRule = anyOf(nameRules);

/** `judgeRow`, `judge_row` and `judge-row.ts` as words. */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_./]+/g, ' ')
    .toLowerCase();

const keepLength = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

const testCall = /^(test|it|describe)\b/;

/** The literal, or the template, that a piece of text belongs to. */
const literalOf = (node: ts.Node): ts.Node => {
  if (ts.isTemplateHead(node)) return node.parent;
  return ts.isTemplateSpan(node.parent) ? node.parent.parent : node;
};

/** Module names are not messages; in tests only the names of tests are. */
function isReadByPeople(node: ts.Node, file: string): boolean {
  const { parent } = literalOf(node);
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return false;
  if (!file.startsWith('test/')) return true;
  return ts.isCallExpression(parent) && testCall.test(parent.expression.getText());
}

const isText = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);

const isDeclaredName = (node: ts.Node): node is ts.Identifier =>
  ts.isIdentifier(node) && (node.parent as ts.NamedDeclaration).name === node;

/** Comments, messages and the names that the file declares. */
function passagesOfCode(file: string, text: string): Passage[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const passages: Passage[] = [];
  let withoutLiterals = text;
  const visit = (node: ts.Node): void => {
    const at = node.getStart();
    if (isText(node) || ts.isRegularExpressionLiteral(node)) {
      withoutLiterals =
        withoutLiterals.slice(0, at) + keepLength(node.getText()) + withoutLiterals.slice(node.getEnd());
    }
    if (isText(node) && isReadByPeople(node, file)) passages.push({ kind: 'prose', at, text: node.getText() });
    if (isDeclaredName(node)) passages.push({ kind: 'name', at, text: wordsOf(node.text) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const comment of withoutLiterals.matchAll(/\/\/[^\n]*(?:\n\s*\/\/[^\n]*)*|\/\*[\s\S]*?\*\//g)) {
    passages.push({ kind: 'prose', at: comment.index, text: comment[0] });
  }
  return passages;
}

const withoutAllowed = (file: string, text: string, allowed: readonly Allowance[]): string =>
  allowed
    .filter((allowance) => allowance.file.test(file))
    .reduce((kept, allowance) => kept.replaceAll(allowance.text, keepLength), text);

/** The words of one file that the rules refuse. */
export function findWords(file: string, original: string, allowed: readonly Allowance[] = allowances): Finding[] {
  const text = withoutAllowed(file, original, allowed);
  const passages: Passage[] = file.endsWith('.ts') ? passagesOfCode(file, text) : [{ kind: 'prose', at: 0, text }];
  const suspicious = passages.filter(({ kind, text }) => (kind === 'name' ? anyNameRule : anyProseRule).test(text));
  const inText = suspicious.flatMap((passage) =>
    (passage.kind === 'name' ? nameRules : proseRules).flatMap(({ pattern, advice }) =>
      [...passage.text.matchAll(pattern)].map((match) => ({
        file,
        line: original.slice(0, passage.at + (passage.kind === 'name' ? 0 : match.index)).split('\n').length,
        text: match[0].replaceAll(/[\s*/]+/g, ' '),
        advice: `write: ${advice}`,
      })),
    ),
  );
  return [...inText, ...findNameWords(file)];
}

const findNameWords = (file: string): Finding[] =>
  nameRules.flatMap(({ pattern, advice }) =>
    [...wordsOf(file).matchAll(pattern)].map((match) => ({ file, line: 0, text: match[0], advice: `name: ${advice}` })),
  );

/** Comments and Markdown above 120 columns; tables and fenced blocks cannot be wrapped. */
export function findLongLines(file: string, text: string): Finding[] {
  const isCode = file.endsWith('.ts');
  if (!isCode && !file.endsWith('.md')) return [];
  let fenced = false;
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    const counts = isCode ? /^\s*(\/\/|\/?\*)/.test(line) : !fenced && !/^\s*(\||```| {4})/.test(line);
    if (!counts || line.length <= maxColumns) return [];
    return [{ file, line: index + 1, text: `${line.length} columns`, advice: `write: at most ${maxColumns}` }];
  });
}

/** Every finding in the files that git knows. */
export function findAll(): Finding[] {
  const files = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.md', '*.ts', '*.svg', 'package.json'],
    {
      encoding: 'utf8',
    },
  );
  return files
    .trim()
    .split('\n')
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return [...findWords(file, text), ...findLongLines(file, text)];
    });
}

if (import.meta.main) {
  const [prefix = ''] = process.argv.slice(2);
  const found = findAll().filter(({ file }) => file.startsWith(prefix));
  for (const { file, line, text, advice } of found) console.log(`${file}:${line}: "${text}" (${advice})`);
  console.log(`${found.length} findings`);
}
