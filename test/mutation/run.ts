// `npm run mutation`: changes the code in thousands of small ways and lists the changes that no test detects.
import { parseArgs } from 'node:util';
import { equivalents } from './equivalents.ts';
import { installInstrumenter } from './instrument.ts';
import { mutate } from './mutate.ts';
import { complaintsOf, percentOf, type Score, scoreOf, tableOf } from './score.ts';
import { targets } from './targets.ts';

const { values } = parseArgs({
  options: { file: { type: 'string', multiple: true }, json: { type: 'boolean', default: false } },
});

const chosen = targets.filter(({ file }) => values.file?.some((part) => file.includes(part)) ?? true);
if (chosen.length === 0) {
  throw new Error(`${values.file} is not mutated; test/mutation/targets.ts lists the files that are`);
}

installInstrumenter();
const scores: Score[] = [];
for (const target of chosen) {
  const began = Date.now();
  const score = scoreOf(target.file, await mutate(target), equivalents);
  scores.push(score);
  if (!values.json) process.stdout.write(complaintsOf(score));
  const seconds = Math.round((Date.now() - began) / 1000);
  console.error(`${scores.length} of ${chosen.length}: ${target.file}, ${percentOf([score])} %, ${seconds} s`);
}
console.log(values.json ? JSON.stringify(scores, null, 2) : tableOf(scores));
process.exitCode = scores.every(({ survivors, stale }) => survivors.length + stale.length === 0) ? 0 : 1;
