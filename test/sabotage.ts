// Shows that the tests find defects: puts each one of sabotages.ts into a copy of the repository and runs the tests of
// its rule, of which one must fail. By hand, before a proof is cut: `npm run -s sabotage`, or with a part of a path:
// `npm run -s sabotage -- held-claims`.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Sabotage, sabotages } from './sabotages.ts';

const root = resolve(import.meta.dirname, '..');
const copy = mkdtempSync(join(tmpdir(), 'simporter-sabotage-'));
const [wanted = ''] = process.argv.slice(2);
/** With some defects a test never ends. */
const longestTestMs = 60_000;
const longestMs = 180_000;

function copyRepository(): void {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  for (const file of files) cpSync(join(root, file), join(copy, file));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

/** True if a test fails. @throws if the tests do not run at all */
function isFound(tests: string): boolean {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const report = join(copy, 'reports', 'sabotage.json');
  const reported = ['--reporter', 'json', '--outputFile.json', report];
  const limits = ['--bail', '1', '--testTimeout', String(longestTestMs)];
  const options = ['run', '--project', 'fast', ...limits, ...reported, `test/${tests}`];
  const { status, error } = spawnSync(process.execPath, [vitest, ...options], { cwd: copy, timeout: longestMs });
  if (error !== undefined && 'code' in error && error.code === 'ETIMEDOUT') return true;
  if (JSON.parse(readFileSync(report, 'utf8')).numTotalTests === 0) throw new Error(`no test of ${tests} ran`);
  return status !== 0;
}

function judge({ file, from, to, tests }: Sabotage): 'found' | 'survives' {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} does not have this text exactly once:\n${from}`);
  const sabotaged = text.replace(from, () => to);
  // Throws where that is no program: every test would fail.
  stripTypeScriptTypes(sabotaged);
  writeFileSync(path, sabotaged);
  try {
    return isFound(tests) ? 'found' : 'survives';
  } finally {
    writeFileSync(path, text);
  }
}

try {
  copyRepository();
  const chosen = sabotages.filter(({ file }) => file.includes(wanted));
  const survivors = chosen.filter((sabotage, index) => {
    const verdict = judge(sabotage);
    console.log(`${index + 1}/${chosen.length} ${verdict}: ${sabotage.file}: ${sabotage.from.slice(0, 80)}`);
    return verdict === 'survives';
  });
  console.log(`${chosen.length} sabotages, ${survivors.length} survive.`);
  for (const { file, from, to } of survivors) console.log(`\n${file}\n  - ${from}\n  + ${to}`);
  process.exitCode = survivors.length === 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
