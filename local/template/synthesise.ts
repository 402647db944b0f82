// Runs a CDK app, as `cdk synth` does but without bundling, and reads the templates of its stacks.
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { cachedFolder, compileCache } from '../content-cache.ts';
import type { CdkApp, Project } from '../emulator-options.ts';
import type { Template } from './template.ts';

const assembly = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      displayName: z.string().optional(),
      properties: z.object({ templateFile: z.string(), stackName: z.string().optional() }).partial().default({}),
    }),
  ),
});

const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));

const readAssembly = async (folder: string): Promise<Template[]> => {
  const { artifacts } = assembly.parse(await readJson(join(folder, 'manifest.json')));
  const stacks = Object.entries(artifacts).filter(([, { type }]) => type === 'aws:cloudformation:stack');
  return Promise.all(
    stacks.map(async ([id, { properties }]) => ({
      stackName: properties.stackName ?? id,
      body: await readJson(join(folder, properties.templateFile ?? `${id}.template.json`)),
    })),
  );
};

const run = promisify(execFile);

/**
 * The templates of the app's stacks.
 * @param sourcesHash what the app is made of; the templates of an earlier start are used where it is the same.
 * @param signal ends the app, whatever it is doing.
 * @throws Error with what the app wrote to stderr, which names the setting or the finding
 */
export const synthesise = async (
  { program, context }: CdkApp,
  { root, cacheDirectory }: Project,
  sourcesHash: string,
  signal?: AbortSignal,
): Promise<Template[]> => {
  const contextJson = JSON.stringify({ ...context, 'aws:cdk:bundling-stacks': [] });
  const key = ['templates', sourcesHash, program, contextJson];
  const folder = await cachedFolder(cacheDirectory, key, async (build) => {
    const outdir = join(build, 'assembly');
    const env = {
      ...process.env,
      CDK_OUTDIR: outdir,
      CDK_CONTEXT_JSON: contextJson,
      CDK_VALIDATION: 'false',
      NODE_COMPILE_CACHE: compileCache(cacheDirectory),
    };
    const args = ['--disable-warning=ExperimentalWarning', program];
    await run(process.execPath, args, { cwd: root, env, ...(signal && { signal }) }).catch((error) => {
      throw new Error(String(error.stderr).trim() || String(error), { cause: error });
    });
    await writeFile(join(build, 'templates.json'), JSON.stringify(await readAssembly(outdir)));
    await rm(outdir, { recursive: true });
  });
  return (await readJson(join(folder, 'templates.json'))) as Template[];
};
