import { expect, it } from 'vitest';
import { parseDefaults } from '#cli/upload.ts';

it('reads values for whole columns, which may hold an equals sign', () => {
  expect(parseDefaults(['targetNetwork=UK Mobile A', 'services=Roaming=on'])).toEqual({
    targetNetwork: 'UK Mobile A',
    services: 'Roaming=on',
  });
});

it.each(['targetNetwork', '=UK', ''])('refuses "%s" and says how it is written', (text) => {
  expect(() => parseDefaults([text])).toThrow(/not column=value/);
});
