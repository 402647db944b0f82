// The workflows of a public host: pinned actions, few permissions, scripts that exist, and notes for each release.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import packageJson from '#package.json' with { type: 'json' };
import { globFiles } from '../support/glob-files.ts';
import { notOn } from '../support/not-on.ts';

const workflows = globFiles('.github/workflows/*.yml').map((path) => ({ path, text: readFileSync(path, 'utf8') }));

test('there are workflows for changes, releases and vulnerabilities', () => {
  expect(workflows.map(({ path }) => path.replace(/^.*\//, ''))).toEqual(
    expect.arrayContaining(['ci.yml', 'codeql.yml', 'release.yml']),
  );
});

describe.each(workflows)('$path', ({ text }) => {
  test('pins every action by its hash, with the version beside it', () => {
    const actions = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action);
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('pins one action by one hash', () => {
    const pins = new Map<string, Set<string>>();
    for (const [, name = '', hash = ''] of workflows.flatMap((each) => [...each.text.matchAll(/uses: (\S+)@(\S+)/g)]))
      pins.set(name, (pins.get(name) ?? new Set()).add(hash));
    expect([...pins.values()].filter(({ size }) => size > 1)).toEqual([]);
  });

  test('can only read by default, and every job ends', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
    const jobs = text.match(/^ {4}runs-on:/gm) ?? [];
    expect(text.match(/^ {4}timeout-minutes:/gm)).toHaveLength(jobs.length);
  });

  test('calls scripts that exist', () => {
    for (const [script] of text.matchAll(/(?<=run: )\.ci\/[\w-]+/g)) expect(existsSync(script)).toBe(true);
    for (const [, name = ''] of text.matchAll(/npm run (?:-s )?([\w:-]+)/g))
      expect(packageJson.scripts).toHaveProperty([name]);
  });
});

test('the job that may publish runs no code of the repository and of its dependencies', () => {
  const text = readFileSync('.github/workflows/release.yml', 'utf8');
  const [tested = '', publishing = ''] = text.split(/^ {2}publish:\n/m);
  expect(tested).not.toMatch(/id-token|contents: write/);
  expect(publishing).toContain('id-token: write');
  expect(publishing.match(/^ {6}- run: (?!npm publish|gh release).*$/gm)).toBeNull();
  expect(publishing).not.toContain('checkout');
});

/** The steps of a job of the release, up to the next job. */
const jobOfRelease = (name: string): string => {
  const text = readFileSync('.github/workflows/release.yml', 'utf8');
  return new RegExp(`^ {2}${name}:\\n(?: {4}.*\\n|\\n)*`, 'm').exec(text)?.[0] ?? '';
};

test('the job that builds the published package runs only what package-lock.json names, and no script of a package', () => {
  const job = jobOfRelease('build');
  const commands = [...job.matchAll(/run: (.*)/g)].map(([, command = '']) => command);
  expect(commands).toContain('npm run build:packages');
  expect(commands.filter((command) => /npx|npm install|try-package|\.ci\/run|npm test/.test(command))).toEqual([]);
  for (const command of commands.filter((each) => /npm (?:ci|pack|publish)/.test(each)))
    expect(command).toContain('--ignore-scripts');
});

test('the package is tested in another job, and published only where its checksum is that of the build', () => {
  expect(jobOfRelease('test')).toMatch(/needs: build\n.*\.ci\/try-package/s);
  expect(jobOfRelease('test')).not.toContain('upload-artifact');
  const publish = jobOfRelease('publish');
  expect(publish).toContain('needs: [build, test]');
  expect(publish).toContain('needs.build.outputs.sha256');
  expect(publish.indexOf('sha256sum --check')).toBeLessThan(publish.indexOf('npm publish'));
});

test('an update waits for a week after its release, in which others may find that it is malicious', () => {
  const [, ...updates] = readFileSync('.github/dependabot.yml', 'utf8').split('package-ecosystem: ');
  expect(updates.map((update) => update.split('\n')[0])).toEqual(['npm', 'github-actions']);
  for (const update of updates) expect(update).toMatch(/^ {4}cooldown: \{ default-days: 7 \}$/m);
});

test('no script or workflow fetches a program that package-lock.json does not name', () => {
  const scripts = Object.values(packageJson.scripts);
  const commands = workflows.flatMap(({ text }) => [...text.matchAll(/run: (.*)/g)].map(([, command = '']) => command));
  expect([...scripts, ...commands].filter((command) => /\bnpx\b|npm (?:install|exec)/.test(command))).toEqual([]);
});

const hasBash = notOn(['Windows'], 'the script of a release is for bash');

describe('the notes of a release', () => {
  let folder = '';
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const notesOf = (tag: string, version: string, changelog: string): string => {
    folder = mkdtempSync(join(tmpdir(), 'release-'));
    cpSync('.ci', join(folder, '.ci'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }));
    writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
    return execFileSync(join(folder, '.ci', 'release-notes'), [tag], { encoding: 'utf8', stdio: 'pipe' });
  };
  const changelog = '# Changelog\n\n## [1.1.0]\n\n- newer\n\n## [1.0.0] - 2026-12-01\n\n- one\n\n## [0.9.0]\n\n- old\n';

  hasBash('are the section of its version', () => {
    expect(notesOf('v1.0.0', '1.0.0', changelog).trim()).toBe('- one');
  });

  hasBash('fail where the tag and package.json differ', () => {
    expect(() => notesOf('v1.0.0', '1.0.1', changelog)).toThrow('package.json has version 1.0.1');
  });

  hasBash('fail where the CHANGELOG lacks the version', () => {
    expect(() => notesOf('v2.0.0', '2.0.0', changelog)).toThrow('no section "## [2.0.0]"');
  });
});
