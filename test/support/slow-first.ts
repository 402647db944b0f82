// The order of test files: with the slowest first, no worker is left alone with one of them at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take more than ten seconds on a machine with nothing else to do. */
const slow = [
  'test/packages/package.test.ts',
  'test/console/flow.test.ts',
  'test/files/',
  'test/pipeline/',
  'test/cli/safe-defaults.test.ts',
  'test/cli/four-hundred-rows.test.ts',
  'test/cli/emulators.test.ts',
  'test/cli/fresh-clone.test.ts',
  'test/cli/commands.test.ts',
  'test/console/',
  'test/security/forget.test.ts',
  'test/infra/validation.test.ts',
  'test/simulation/',
];

const isSlow = ({ moduleId }: TestSpecification): boolean => slow.some((part) => moduleId.includes(part));

export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((one) => {
      const own = sorted.filter(({ project }) => project === one);
      return [...own.filter(isSlow), ...own.filter((file) => !isSlow(file))];
    });
  }
}
