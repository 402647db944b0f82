// The order of the test files. Vitest starts those first that took longest in its last run on this machine. In a new
// clone it knows of none and goes by their sizes: a short file that takes minutes would begin when the others have
// ended, and run alone.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest first. One that is not here is one of many that take about as long. */
export const longest = [
  'console/kept-and-true.program',
  'console/flow.program',
  'console/first-reading.program',
  'cli/less-common-commands.program',
  'functions/ingest/meanings.slow',
  'security/growth.slow',
  'chaos/alarms/alarms.slow',
  'infra/app.slow',
  'docs/cells.slow',
  'chaos/model/surfaces.slow',
  'chaos/failing-commands.slow',
];

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return place === -1 ? longest.length : place;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // The files of a project stay together: a worker serves one project, and the next one needs another.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).sort((one, other) => placeOf(one) - placeOf(other)),
    );
  }
}
