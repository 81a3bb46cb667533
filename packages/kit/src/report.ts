export type { BootstrapReport, PreparedData, ReportChannel, ReportPlace } from "./report/bootstrap-report.ts";
export { causeOf, plainText, tailOf } from "./report/log-tail.ts";
export { redact } from "./report/redact.ts";
export { defaultReportWaitMs, reportAnnotation, reportRequest } from "./report/report-request.ts";
export type { ReportRequest } from "./report/report-request.ts";
export { isFinal, reportVerdict } from "./report/report-verdict.ts";
export { ReportEvent, ReportReason } from "./report/reasons.ts";
export type { ReportFacts, ReportVerdict } from "./report/report-verdict.ts";
export { maxReportBytes, readReport, reportScript, uploadedReport } from "./report/uploaded-report.ts";
