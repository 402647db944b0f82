// How files with a certain header are read, as people saved it.
import * as z from 'zod';
import { savedSettings } from '#shared/import/saved-settings.ts';
import type { ReadDependencies } from '../context.ts';
import { endpoint } from '../http/endpoint.ts';

const savedAnswer = z.object(savedSettings.shape).omit({ authors: true });

export const listSavedSettings = endpoint(
  {
    at: 'GET /saved-settings',
    role: 'viewer',
    summary: 'How files with a certain header are read',
    accepts: {},
    answer: z.object({ saved: z.array(savedAnswer) }),
  },
  async (_call, dependencies: ReadDependencies) => {
    const saved = await dependencies.savedSettings.list();
    saved.sort((one, other) => other.savedAt.localeCompare(one.savedAt));
    return { saved: saved.map(({ authors: _, ...shown }) => shown) };
  },
);
