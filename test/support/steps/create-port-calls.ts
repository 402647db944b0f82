// Create Port of the fresh rig: how often it was called, and clients whose call fails.
import { rig } from './fresh-services.ts';

export const posts = () => rig.calls.filter((name) => name === 'createPort').length;

export const clientThat = (createPort: () => Promise<string>) => ({
  ...rig.submitParts().client,
  createPort: () => {
    rig.calls.push('createPort');
    return createPort();
  },
});

export const failing = (error: unknown) => clientThat(() => Promise.reject(error));
