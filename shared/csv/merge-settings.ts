// Settings of an earlier upload or of a mapping file, with further ones.
import type { UploadSettings } from './upload-settings.ts';

export const mergeSettings = (earlier: UploadSettings, given: UploadSettings): UploadSettings => ({
  ...earlier,
  ...withoutUndefined(given),
  mapping: { ...earlier.mapping, ...given.mapping },
  defaults: { ...earlier.defaults, ...given.defaults },
  layout: {
    ...earlier.layout,
    // Sheets are named together.
    ...(given.layout.sheet !== undefined && { otherSheets: undefined }),
    ...withoutUndefined(given.layout),
  },
});

const withoutUndefined = <Values extends object>(values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;
