// The pipeline on the emulator in its own process, to be killed: takes its options as JSON, writes its outputs when it
// is ready, and runs until then. With `templates` it is the emulator alone.
import { startPipeline } from '#cli/local-pipeline/local-pipeline.ts';
import { startTestEmulator } from './emulator.ts';

const { templates, ...options } = JSON.parse(process.argv[2] ?? '{}');
const start = async () =>
  templates === undefined
    ? startPipeline({ ...options, callerEnvironment: {} })
    : (await startTestEmulator({ templates, ...options, log: undefined })).emulator;
process.stdout.write(`${JSON.stringify((await start()).outputs)}\n`);
