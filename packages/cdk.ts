// The package entry `simporter/cdk`: the pipeline, the console and the simulator as constructs of the AWS CDK.
export { type CompanySignIn, Console, type ConsoleProps, type OidcSignIn, type SamlSignIn } from './cdk/console.ts';
export { Pipeline, type PipelineQueue } from './cdk/pipeline.ts';
export type * from './cdk/pipeline-props.ts';
export { Simulator, type SimulatorProps } from './cdk/simulator.ts';
