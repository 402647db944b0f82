// What a console needs of a pipeline, and users do not: it is no property of the construct, so that it can change.
import type { Construct } from 'constructs';
import type { PipelineResources } from '#infra/pipeline.ts';

export interface PackagedPipeline {
  readonly environment: string;
  /** Its member of `environments`. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly resources: PipelineResources;
}

const pipelines = new WeakMap<Construct, PackagedPipeline>();

export const rememberPipeline = (pipeline: Construct, packaged: PackagedPipeline): void => {
  pipelines.set(pipeline, packaged);
};

/** @throws Error where the pipeline was created by another copy of the package */
export function resourcesOfPipeline(pipeline: Construct): PackagedPipeline {
  const packaged = pipelines.get(pipeline);
  if (packaged !== undefined) return packaged;
  throw new Error('The property "pipeline" is not a Pipeline of this copy of simporter/cdk: install simporter once.');
}
