// An engine in a process of its own, to be killed: takes its options as JSON, says when it is ready, and runs until then.
import { startEngine } from '#local/engine.ts';

const engine = await startEngine({ ...JSON.parse(process.argv[2] ?? '{}'), callerEnvironment: {} });
process.stdout.write(`${JSON.stringify(engine.outputs)}\n`);
