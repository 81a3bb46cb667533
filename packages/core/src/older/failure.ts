import type { ExternalObservation } from "../external/observation.ts";

/** Failure fields of `v1beta1`, for a failure that cannot be fixed. */
export type OlderFailure = Readonly<Partial<Record<"failureReason" | "failureMessage", string>>>;

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** The failure that objects of providers report, of the first that reports one; what is no longer reported stays as it is. */
export const olderFailure = (observations: readonly ExternalObservation[]): OlderFailure => {
  for (const observation of observations) {
    if (observation.state !== "found") continue;
    const { apiVersion, kind, metadata, ...rest } = observation.external.object;
    const status = (rest["status"] ?? {}) as Readonly<Record<string, unknown>>;
    const [failureReason, message] = [text(status["failureReason"]), text(status["failureMessage"])];
    if (failureReason === undefined && message === undefined) continue;
    const from = `referenced resource ${apiVersion}, Kind=${kind} with name "${metadata.name}"`;
    return {
      ...(failureReason !== undefined && { failureReason }),
      ...(message !== undefined && { failureMessage: `Failure detected from ${from}: ${message}` }),
    };
  }
  return {};
};
