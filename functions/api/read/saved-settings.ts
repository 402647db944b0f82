// How files with a certain header are read, as people saved it.
import * as z from 'zod';
import { savedSettings } from '#shared/items/saved-settings.ts';
import type { ReadDependencies } from '../dependencies.ts';
import { endpoint } from '../http/endpoint.ts';

export const listSavedSettings = endpoint(
  {
    at: 'GET /saved-settings',
    role: 'viewer',
    summary: 'How files with a certain header are read',
    accepts: {},
    answer: z.object({ saved: z.array(savedSettings) }),
  },
  async (_call, dependencies: ReadDependencies) => {
    const saved = await dependencies.savedSettings.list();
    return { saved: saved.sort((one, other) => other.savedAt.localeCompare(one.savedAt)) };
  },
);
