import { parseDuration } from "@capstan/kube-values";
import type { RemediationPolicy } from "@capstan/kit/control-plane";

/** Whole seconds of a duration such as `10m`; `undefined` for none. */
const secondsOf = (text: string | undefined): number | undefined => {
  const nanos = text === undefined ? undefined : parseDuration(text);
  return nanos === undefined ? undefined : Number(nanos / 1_000_000_000n);
};

/** The members that are set. */
const present = <T extends Readonly<Record<string, number | undefined>>>(
  members: T,
): { readonly [K in keyof T]?: number } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;

/** Time limits of removing a Machine, from durations. */
export const deletionOf = (limits: {
  readonly nodeDrainTimeout?: string | undefined;
  readonly nodeVolumeDetachTimeout?: string | undefined;
  readonly nodeDeletionTimeout?: string | undefined;
}) =>
  present({
    nodeDrainTimeoutSeconds: secondsOf(limits.nodeDrainTimeout),
    nodeVolumeDetachTimeoutSeconds: secondsOf(limits.nodeVolumeDetachTimeout),
    nodeDeletionTimeoutSeconds: secondsOf(limits.nodeDeletionTimeout),
  });

/** Converts settings of remediation with durations. */
export const remediationOf = (strategy: {
  readonly maxRetry?: number | undefined;
  readonly retryPeriod?: string | undefined;
  readonly minHealthyPeriod?: string | undefined;
}): RemediationPolicy =>
  present({
    maxRetry: strategy.maxRetry,
    retryPeriodSeconds: secondsOf(strategy.retryPeriod),
    minHealthyPeriodSeconds: secondsOf(strategy.minHealthyPeriod),
  });
