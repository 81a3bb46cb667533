export type { BootstrapReport, PreparedData, ReportChannel, ReportPlace } from "./report/bootstrap-report.ts";
export { causeOf } from "./report/log-tail.ts";
export { joinedNode } from "./report/joined-node.ts";
export { checkerAnnotation, defaultReportWaitMs, reportAnnotation } from "./report/report-request.ts";
export type { ReportRequest } from "./report/report-request.ts";
export type { ReportFacts, ReportVerdict } from "./report/report-verdict.ts";
export { readReport, reportScript, uploadedReport } from "./report/uploaded-report.ts";
export { logSecretName } from "./roles/infra-machine/bootstrap-log.ts";
