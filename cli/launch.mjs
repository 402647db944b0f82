// Starts a program of simporter on Node 24 or newer: on the one that runs this file, or else on the one that npm installed
// beside it. This file must run on older versions of Node.
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const oldest = 24;

/** The packages with a newer Node, as package.json lists them. */
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

export const missingNode = (version) =>
  `error: simporter needs Node ${oldest} or newer, and this is Node ${version}. ` +
  'Install Node, or run npm ci without --omit=optional.';

/**
 * @param program the URL of the file to run
 * @param compileCache a folder for compiled code
 */
export async function launch(program, compileCache) {
  if (Number(process.versions.node.split('.')[0]) >= oldest) {
    module.enableCompileCache(compileCache);
    await import(program);
    return;
  }
  const node = findNode();
  if (node === undefined) {
    console.error(missingNode(process.versions.node));
    process.exit(3);
  }
  const file = fileURLToPath(program);
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', file, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
  });
  // A terminal sends Ctrl-C to both processes, and `kill` a SIGINT to this one only. The other one gets it as SIGTERM: a
  // second SIGINT would end it before it has cleaned up. On Windows a signal from here would end it at once.
  let isInterrupted = false;
  process.on('SIGINT', () => {
    if (!isInterrupted && process.platform !== 'win32') child.kill('SIGTERM');
    isInterrupted = true;
  });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code) => process.exit(code ?? (isInterrupted ? 130 : 3)));
}
