// Adds to package-lock.json the checksums that are missing: the registry of the last `npm install` did not have these
// packages, which are for other machines. Fails where a checksum differs from the one of the registry, and with --check
// also where one is missing. Usage: node .ci/lock-hashes.mjs [--check]
import { execSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const isCheck = process.argv.includes('--check');
for (const [path, entry] of Object.entries(lock.packages)) {
  if (!entry.optional || entry.os === undefined || path.includes('/node_modules/')) continue;
  const name = `${path.replace('node_modules/', '')}@${entry.version}`;
  const integrity = execSync(`npm view ${name} dist.integrity`, { encoding: 'utf8' }).trim();
  if (entry.integrity === integrity) continue;
  if (entry.integrity === undefined && !isCheck) {
    entry.integrity = integrity;
    console.log(`${name}: added`);
  } else {
    console.error(`${name}: package-lock.json has ${entry.integrity ?? 'none'}, the registry ${integrity}`);
    process.exitCode = 1;
  }
}
if (!isCheck) writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
