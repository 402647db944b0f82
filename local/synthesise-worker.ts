// The thread of `synthesise`: builds the app into the folder it is given and hands the templates over.
import { parentPort, workerData } from 'node:worker_threads';
import { buildApp } from '#infra/app.ts';

const { stage, outdir } = workerData as { stage: string; outdir: string };
const { stacks } = buildApp({ stage, outdir, context: { 'aws:cdk:bundling-stacks': [] } }).synth();
parentPort?.postMessage(stacks.map(({ stackName, template }) => ({ stackName, body: template })));
