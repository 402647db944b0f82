// Templates, bundles, the console and the browser, before the first tests that start one: several workers at once would
// each make their own, and start a browser that another is still unpacking.
import { installation } from '#installation';
import { hashFiles } from '#local/content-cache.ts';
import { bundleFunctions } from '#local/lambda/bundle.ts';
import { synthesise } from '#local/template/synthesise.ts';
import { unpackBrowser } from '../console/support/browser.ts';

const { project, readStacks } = installation;

export default async function buildOnce(): Promise<void> {
  const [stacks, sourcesHash] = await Promise.all([readStacks(), hashFiles(project.root, project.sources)]);
  await Promise.all([
    unpackBrowser(),
    installation.buildConsole(),
    bundleFunctions(project.entries, project, sourcesHash),
    'program' in stacks ? synthesise(stacks, project, sourcesHash) : stacks,
  ]);
}
