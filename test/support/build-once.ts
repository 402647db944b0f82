// Templates and bundles of the emulator, before the first tests that start one: four workers at once would each make
// their own.
import { installation } from '#installation';
import { hashFiles } from '#local/content-cache.ts';
import { bundleFunctions } from '#local/lambda/bundle.ts';
import { synthesise } from '#local/template/synthesise.ts';

const { project, readStacks } = installation;

export default async function buildOnce(): Promise<void> {
  const [stacks, sourcesHash] = await Promise.all([readStacks(), hashFiles(project.root, project.sources)]);
  await Promise.all([
    bundleFunctions(project.entries, project, sourcesHash),
    'program' in stacks ? synthesise(stacks, project, sourcesHash) : stacks,
  ]);
}
