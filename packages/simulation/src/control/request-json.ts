import type { RecordedRequest, Requests } from "../requests/request-log.ts";

/** The requests from a number on, as far as they are kept. */
export const requestsSince = ({ log, next }: Requests, since: number): readonly RecordedRequest[] =>
  log.slice(Math.max(0, since - (next - log.length)));

/** A request as the control interface shows it. */
export const requestJson = ({ at, status, ...request }: RecordedRequest): unknown => ({
  time: new Date(at).toISOString(),
  ...request,
  status: status ?? null,
});
