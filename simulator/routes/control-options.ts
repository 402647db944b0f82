// What the routes of the test controls work with.
import type { TestControls } from '../controls/test-controls.ts';
import type { Dependencies } from '../dependencies.ts';

export const controlsTag = 'Sandbox';

export interface ControlRouteOptions {
  readonly dependencies: Dependencies;
  readonly controls: TestControls;
  /** The operations that a fault may name. */
  readonly operations: readonly string[];
}
