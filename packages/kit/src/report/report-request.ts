import { parseDurationMs } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";

/**
 * Annotation of an infrastructure machine or its Machine that asks for a bootstrap report: `true`, `false`, or how long to wait for it,
 * such as `30m`.
 */
export const reportAnnotation = "capstan.dev/bootstrap-report";

/** How long a report is waited for when nobody says otherwise. */
export const defaultReportWaitMs = 20 * 60_000;

/** Whether a machine is to report, and how long that is waited for. */
export interface ReportRequest {
  readonly wanted: boolean;
  readonly waitMs: number;
}

/** What the first of the objects that says something asks for; otherwise the provider's default. */
export const reportRequest = (
  objects: readonly KubeObject[],
  { wanted = false, waitMs = defaultReportWaitMs }: Partial<ReportRequest> = {},
): ReportRequest => {
  const said = objects
    .map(({ metadata }) => metadata.annotations?.[reportAnnotation]?.trim().toLowerCase())
    .find((text) => text !== undefined);
  if (said === undefined) return { wanted, waitMs };
  if (said === "false") return { wanted: false, waitMs };
  const asked = parseDurationMs(said) ?? 0;
  return { wanted: true, waitMs: asked > 0 ? asked : waitMs };
};
