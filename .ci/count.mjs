// Prints `N passed, N failed` from the JSON reports of vitest; a missing report, an empty run or a failure is exit code 1.
import { readFileSync } from 'node:fs';

let passed = 0;
let failed = 0;
for (const path of process.argv.slice(2)) {
  try {
    const report = JSON.parse(readFileSync(path, 'utf8'));
    passed += report.numPassedTests;
    failed += report.numFailedTests;
    if (!report.success || report.numPassedTests === 0) process.exitCode = 1;
  } catch (cause) {
    console.error(`There is no readable test report: ${cause.message}`);
    process.exitCode = 1;
  }
}
console.log(`${passed} passed, ${failed} failed`);
