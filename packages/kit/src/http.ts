export { errorsOf } from "./http/failure-meanings.ts";
export type { FailureMeaning, FailureOptions } from "./http/failure-meanings.ts";
export type { ErrorAnswer, HttpErrorRule, HttpErrors } from "./http/http-errors.ts";
export { httpService } from "./http/http-service.ts";
export type { Call, HttpCall, HttpService, HttpServiceOptions } from "./http/http-service.ts";
