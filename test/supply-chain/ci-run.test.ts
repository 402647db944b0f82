// What CI runs: the commands that a reader of the README runs first, on a machine that has nothing.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notOn } from '../support/not-on.ts';

const firstCommands = (readme: string): string[] =>
  [...readme.matchAll(/^(npm ci .*?) +#/gm)].map(([, command = '']) => command);

test('the first two commands of the README are the demo and the tests', () => {
  expect(firstCommands(readFileSync('README.md', 'utf8'))).toEqual(['npm ci && npm run demo', 'npm ci && npm test']);
});

/** Stands for npm: notes its words, the names of its variables, and a home that is not empty; writes reports. */
const npm = `#!/usr/bin/env bash
echo "npm $*" >>calls
env | sed 's/=.*//' | sort >names
[ -z "$(ls -A "$HOME")" ] || echo 'the home is not empty' >>calls
[ ! -e "$npm_config_cache" ] || echo 'the npm cache is not empty' >>calls
report='{"numPassedTests":3,"numFailedTests":0,"success":true}'
case "$*" in
  test) echo "$report" >reports/tests.json ;;
  'run test:slow') echo "$report" >reports/slow-tests.json ;;
esac
`;

const hasBash = notOn(['Windows'], 'CI runs bash');

describe('.ci/run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'simporter-ci-'));
  let output = '';
  beforeAll(() => {
    if (process.platform === 'win32') return;
    cpSync('.ci', join(folder, '.ci'), { recursive: true });
    cpSync('README.md', join(folder, 'README.md'));
    mkdirSync(join(folder, 'bin'));
    mkdirSync(join(folder, 'home'));
    mkdirSync(join(folder, 'npm'));
    writeFileSync(join(folder, 'npm', 'of-another-project'), '');
    writeFileSync(join(folder, 'bin', 'npm'), npm, { mode: 0o755 });
    const env = {
      PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
      HOME: join(folder, 'home'),
      // /tmp may be read-only.
      TMPDIR: folder,
      npm_config_cache: join(folder, 'npm'),
      AWS_PROFILE: 'a-person',
      npm_config_prefix: 'elsewhere',
      XDG_CACHE_HOME: 'elsewhere',
      NODE_COMPILE_CACHE: 'elsewhere',
      NODE_EXTRA_CA_CERTS: 'certificates.pem',
    };
    output = execFileSync('bash', ['.ci/run'], { cwd: folder, env, encoding: 'utf8' });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  hasBash('runs the commands of the README, then every other test', () => {
    expect(readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n')).toEqual([
      'npm ci',
      'npm run demo',
      'npm ci',
      'npm test',
      'npm run test:slow',
      'npm run --silent sbom',
    ]);
  });

  hasBash('takes over nothing from the machine, such as a full npm cache, but the way to the registry', () => {
    const names = readFileSync(join(folder, 'names'), 'utf8').trimEnd().split('\n');
    const ofShell = ['OLDPWD', 'PWD', 'SHLVL', 'TERM', '_'];
    const expected = ['HOME', 'NODE_EXTRA_CA_CERTS', 'PATH', 'TMPDIR', 'npm_config_cache'];
    // Windows has TEMP, and no bash.
    expect(names.filter((name) => !ofShell.includes(name)).sort()).toEqual(expected.sort());
  });

  hasBash('ends with one line that counts all tests', () => {
    expect(output.trimEnd().split('\n').at(-1)).toBe('6 passed, 0 failed');
  });
});
