import { parseDurationMs } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";

/**
 * Annotation of an infrastructure machine, its Machine or their clusters that asks for a bootstrap report: `true`, `false`, or how long to
 * wait for it, such as `30m`.
 */
const reportAnnotation = "capstan.dev/bootstrap-report";

/** Annotation of the same objects that chooses who checks bootstrapping: the name of a channel, or `none`. */
export const checkerAnnotation = "capstan.dev/bootstrap-checker";

const noChecker = "none";

/** Default time to wait for a report. */
const defaultReportWaitMs = 20 * 60_000;

/** The bootstrap report that an object asks for, and the time to wait for it. */
export interface ReportRequest {
  /** Its bootstrap data may be prepared for it. */
  readonly wanted: boolean;
  /** Nothing is to be said of its bootstrapping. */
  readonly refused: boolean;
  readonly waitMs: number;
  /** Name of the channel that was chosen. */
  readonly checker?: string;
}

const firstSaying = (objects: readonly KubeObject[], annotation: string): string | undefined =>
  objects
    .map(({ metadata }) => metadata.annotations?.[annotation]?.trim().toLowerCase())
    .find((text) => text !== undefined);

/** Returns the request of the first object that has one; otherwise the provider's default. */
export const reportRequest = (
  objects: readonly KubeObject[],
  { wanted = false, waitMs = defaultReportWaitMs }: Partial<Pick<ReportRequest, "wanted" | "waitMs">> = {},
): ReportRequest => {
  const said = firstSaying(objects, reportAnnotation);
  const checker = firstSaying(objects, checkerAnnotation);
  if (said === "false" || checker === noChecker) return { wanted: false, refused: true, waitMs };
  const asked = parseDurationMs(said ?? "") ?? 0;
  return {
    wanted: said !== undefined || wanted,
    refused: false,
    waitMs: asked > 0 ? asked : waitMs,
    ...(checker !== undefined && checker !== "" && { checker }),
  };
};
