// Starts a program of the installed package on Node 24: on the one that runs this file, or else on the one that npm
// installed with the package. This file must run on older versions of Node.
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const oldest = 24;

/** The packages with Node 24, as package.json lists them. */
function findNode() {
  const { platform, arch } = process;
  const name = platform === 'win32' ? 'win' : platform;
  for (const candidate of [`node-${name}-${arch}`, `node-bin-${name}-${arch}`]) {
    try {
      const folder = dirname(createRequire(import.meta.url).resolve(`${candidate}/package.json`));
      return join(folder, 'bin', platform === 'win32' ? 'node.exe' : 'node');
    } catch {
      // Not installed: try the next one.
    }
  }
  return undefined;
}

/** npm has Node 24 for Linux and Windows, and of macOS not for every processor. */
export const missingNode = (platform, words) =>
  `error: simporter needs Node ${oldest}, and this is Node ${process.versions.node}.\n` +
  (platform === 'darwin'
    ? `→ Install it, and run the command again: brew install node@${oldest} && brew link --overwrite node@${oldest}`
    : `→ Run it on Node ${oldest}: npx -p node@${oldest} -p simporter simporter ${words.join(' ')}`);

/** @param name a file in the folder above this one */
export async function launch(name) {
  const program = join(dirname(fileURLToPath(import.meta.url)), '..', name);
  if (Number(process.versions.node.split('.')[0]) >= oldest) {
    module.enableCompileCache?.();
    await import(pathToFileURL(program).href);
    return;
  }
  const node = findNode();
  if (node === undefined) {
    console.error(missingNode(process.platform, process.argv.slice(2)));
    process.exit(3);
  }
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', program, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  // The terminal sends Ctrl-C to both. This process waits until the other one has cleaned up.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 3)));
}
