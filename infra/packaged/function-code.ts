// The code of the functions in the published package: bundles that were made with the package (packages/build.ts).
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { FunctionCode } from '../function-names.ts';

const root = dirname(createRequire(import.meta.url).resolve('#package.json'));

export const functionCode = (): FunctionCode => (name) => Code.fromAsset(join(root, 'dist', 'functions', name));
