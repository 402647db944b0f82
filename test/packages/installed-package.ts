// Builds and packs the package, and installs the tarball into an empty folder.
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);
export const repository = join(import.meta.dirname, '..', '..');

export interface InstalledPackage {
  readonly folder: string;
  /** Runs a program in the folder, and answers what it wrote. */
  readonly run: (program: string, ...words: readonly string[]) => Promise<string>;
  /** Starts a program in the folder, and resolves with the first line that it writes. */
  readonly start: (program: string, ...words: readonly string[]) => Promise<StartedProgram>;
  readonly remove: () => Promise<void>;
}

export interface StartedProgram {
  readonly line: string;
  readonly stop: () => Promise<void>;
}

/**
 * Installs without a registry, and without what the npm cache of this machine holds: the package has no dependencies,
 * and optional ones are linked from this repository.
 */
export async function installPackage(): Promise<InstalledPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'simporter-package-'));
  const env = { ...process.env, NODE_ENV: 'production', VITEST: undefined };
  await run(process.execPath, ['packages/build.ts'], { cwd: repository, env });
  await run('npm', ['pack', './build/package', '--pack-destination', folder], { cwd: repository });
  const [tarball = ''] = await readdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const install = ['install', '--offline', '--omit=optional', '--cache', join(folder, 'npm-cache'), `./${tarball}`];
  await run('npm', install, { cwd: folder });
  await mkdir(join(folder, 'node_modules', '@dynoxide'), { recursive: true });
  for (const name of ['aws-cdk-lib', 'constructs', '@dynoxide/linux-x64'])
    await symlink(join(repository, 'node_modules', name), join(folder, 'node_modules', name));
  await cp(join(repository, 'examples', 'packages'), folder, { recursive: true });
  return {
    folder,
    run: async (program, ...words) => {
      const env = { ...process.env, NODE_OPTIONS: undefined, CDK_OUTDIR: join(folder, 'cdk.out') };
      const { stdout } = await run(program, words, { cwd: folder, env, maxBuffer: 16 * 1024 ** 2 });
      return stdout;
    },
    start: (program, ...words) => startProgram(folder, program, words),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function startProgram(cwd: string, program: string, words: readonly string[]): Promise<StartedProgram> {
  const child = spawn(program, words, { cwd, env: { ...process.env, NODE_OPTIONS: undefined } });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk) => errors.push(chunk));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}: ${Buffer.concat(errors)}`)));
  });
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { line, stop };
}
