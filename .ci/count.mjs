// Prints `N passed, N failed` from vitest's JSON report; a missing report, an empty run or a failure is exit code 1.
import { readFileSync } from 'node:fs';

let report = { numPassedTests: 0, numFailedTests: 0, success: false };
try {
  report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
} catch (cause) {
  console.error(`There is no readable test report: ${cause.message}`);
}
console.log(`${report.numPassedTests} passed, ${report.numFailedTests} failed`);
process.exitCode = report.success && report.numPassedTests > 0 ? 0 : 1;
