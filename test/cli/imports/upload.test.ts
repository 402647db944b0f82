import { expect, it } from 'vitest';
import { parseDefaults } from '#cli/imports/upload.ts';

it('reads values for whole columns, which may contain an equals sign', () => {
  expect(parseDefaults(['targetNetwork=UK Mobile A', 'services=Roaming=on'])).toEqual({
    targetNetwork: 'UK Mobile A',
    services: 'Roaming=on',
  });
});

it.each(['targetNetwork', '=UK', ''])('rejects "%s" with an example', (text) => {
  expect(() => parseDefaults([text])).toThrow(/not column=value/);
});
