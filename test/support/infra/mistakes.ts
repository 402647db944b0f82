// The production template, and mistakes in it that our checks must find.
import { describe, expect, test } from 'vitest';
import { violationsOf } from './checks/all-checks.ts';
import type { Check, Template } from './checks/read-template.ts';
import { productionSettings, synthesise } from './template.ts';

export const template = synthesise('prod', { ...productionSettings, digestEmail: 'team@example.net' });

export const queue = 'AWS::SQS::Queue';
export const bucket = 'AWS::S3::Bucket';
export const topic = 'AWS::SNS::Topic';
export const policy = 'AWS::IAM::Policy';
export const alarm = 'AWS::CloudWatch::Alarm';
export const lambda = 'AWS::Lambda::Function';
export const rule = 'AWS::Events::Rule';
export const ofRole = (name: string) => (_: unknown, id: string) => id.startsWith(`${name}Role`);

/** A change of the template, and the rule that must find it. */
export type Mistake = readonly [name: string, rule: string, broken: Template];

export function describeChecks(subject: string, checks: readonly Check[], mistakes: readonly Mistake[]): void {
  describe(`the checks of ${subject}`, () => {
    test.each(mistakes)('find %s, by the rule %s', (_, rule, broken) => {
      expect(violationsOf(broken).map((violation) => violation.rule)).toContain(rule);
    });

    test('are all tested', () => {
      expect([...new Set(mistakes.map(([, rule]) => rule))].sort()).toEqual(
        [...new Set(checks.map(({ rule }) => rule))].sort(),
      );
    });
  });
}
