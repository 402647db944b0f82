// All of our checks together.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stages } from '#infra/settings.ts';
import { checks, violationsOf } from '../../support/infra/checks/all-checks.ts';
import { template } from '../../support/infra/mistakes.ts';
import { synthesise } from '../../support/infra/template.ts';

describe('our checks', () => {
  test.each(stages)('find nothing in %s', (stage) => {
    expect(violationsOf(synthesise(stage))).toEqual([]);
  });

  test('find nothing in prod with mail', () => {
    expect(violationsOf(template)).toEqual([]);
  });

  test('are the ones that docs/contributing/aws.md names', () => {
    const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'contributing', 'aws.md'), 'utf8');
    const named = [...page.matchAll(/\bchecks? ((?:`[a-z-]+`[^`|]*)+)/g)].flatMap(([, names = '']) =>
      [...names.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name),
    );
    expect(named.length).toBeGreaterThan(15);
    expect(checks.map(({ rule }) => rule)).toEqual(expect.arrayContaining(named));
  });
});
