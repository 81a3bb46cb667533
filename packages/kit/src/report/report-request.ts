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

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000 };

const durationMs = (text: string): number | undefined => {
  if (!/^(?:\d+(?:\.\d+)?[hms])+$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)([hms])/g);
  return [...parts].reduce((sum, [, amount = "0", unit = "s"]) => sum + Number(amount) * (unitMs[unit] ?? 0), 0);
};

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
  const asked = durationMs(said);
  return { wanted: true, waitMs: asked === undefined || asked === 0 ? waitMs : asked };
};
