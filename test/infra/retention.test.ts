// Personal data is deleted when the settings and docs/guides/data-protection.md say so.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { environments } from '#infra/derived-settings.ts';
import { resourcesOf } from '../support/infra/checks/read-template.ts';
import { productionSettings, type SynthesisedTemplate, synthesise } from '../support/infra/template.ts';

/** How long S3 keeps an object at most: a version that expires becomes a noncurrent one, whose days begin then. */
function longestLives(template: SynthesisedTemplate) {
  const lives = resourcesOf(template, 'AWS::S3::Bucket').map(([id, { LifecycleConfiguration }]) => {
    const [rule] = LifecycleConfiguration.Rules;
    return [id, rule.ExpirationInDays + (rule.NoncurrentVersionExpiration?.NoncurrentDays ?? 0)] as const;
  });
  return new Map(lives);
}

test.each([37, 60, 90, 3650])('an upload is deleted %i days after it, whether it was replaced or not', (inboxDays) => {
  const template = synthesise('prod', { ...productionSettings, retention: { inboxDays } });
  expect(longestLives(template).get('Inbox')).toBe(inboxDays);
  const inbox = resourcesOf(template, 'AWS::S3::Bucket').find(([id]) => id === 'Inbox')?.[1];
  // A replaced version may be that of an import in progress.
  expect(inbox?.LifecycleConfiguration.Rules[0].NoncurrentVersionExpiration.NoncurrentDays).toBeGreaterThanOrEqual(30);
});

test('data-protection.md states the days of each bucket, of the table and of the logs', () => {
  const page = readFileSync('docs/guides/data-protection.md', 'utf8');
  const rows = [...page.matchAll(/^\| ([^|]+) \|[^|]*\| (\d+) days/gm)].map(([, where = '', days]) => [
    where,
    Number(days),
  ]);
  const lives = longestLives(synthesise('prod'));
  const { recordDays, logDays } = environments.prod.retention;
  expect(Object.fromEntries(rows)).toEqual({
    'inbox bucket': lives.get('Inbox'),
    'work bucket, `imports/<import>/`': lives.get('Work'),
    'results bucket, `imports/<import>/`': lives.get('Results'),
    'results bucket, `ports/`': lives.get('Results'),
    'results table': recordDays,
    'table backups': 35,
    logs: logDays,
  });
  expect(page).toContain(`for ${lives.get('AuditLogs')}\ndays`);
});
