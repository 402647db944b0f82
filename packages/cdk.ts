// The package entry `simporter/cdk`: the pipeline and the simulator as constructs of the AWS CDK.
export { Pipeline, type PipelineProps } from './cdk/pipeline.ts';
export { Simulator, type SimulatorProps } from './cdk/simulator.ts';
