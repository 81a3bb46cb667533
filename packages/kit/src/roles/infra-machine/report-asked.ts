import { bootstrapTimeout } from "@capstan/contract/v1";
import type { Environment } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { reportRequest, type ReportRequest } from "../../report/report-request.ts";

/** Returns the request of the first object that mentions bootstrap reports; the wait of the system precedes the author's. */
export const reportAsked = (
  environment: Pick<Environment, "findService">,
  objects: readonly (KubeObject | undefined)[],
  byDefault: Partial<Pick<ReportRequest, "wanted" | "waitMs">> = {},
): ReportRequest => {
  const waitMs = environment.findService(bootstrapTimeout);
  return reportRequest(
    objects.filter((object) => object !== undefined),
    { ...byDefault, ...(waitMs !== undefined && { waitMs }) },
  );
};
