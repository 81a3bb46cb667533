import { status } from "@grpc/grpc-js";
import { isCapstanError } from "@capstan/contract";

/** Failure of a call: a gRPC code, and a text for the caller. */
export interface RpcFailure {
  readonly code: status;
  readonly details: string;
}

const brand: unique symbol = Symbol("rpc-failure");

const failure = (code: status, details: string): RpcFailure & Error =>
  Object.assign(new Error(details), { code, details, [brand]: true });

/** Nothing here for this caller: also when it is another's, so that no one learns what there is. */
export const notFound = (): RpcFailure & Error => failure(status.NOT_FOUND, "no workflow for this agent");

export const invalidArgument = (details: string): RpcFailure & Error => failure(status.INVALID_ARGUMENT, details);

export const failedPrecondition = (details: string): RpcFailure & Error => failure(status.FAILED_PRECONDITION, details);

/** It has to be retried: agents give up on what is not found or wrong, never on this. */
export const unavailable = (details: string): RpcFailure & Error => failure(status.UNAVAILABLE, details);

const isRpcFailure = (error: unknown): error is RpcFailure & Error => error instanceof Error && brand in error;

/** Returns the failure that a caller receives for an error. Errors of the management API, and any others, are temporary: `UNAVAILABLE`. */
export const failureFor = (error: unknown): RpcFailure => {
  if (isRpcFailure(error)) return { code: error.code, details: error.details };
  const details = isCapstanError(error) ? `the management API: ${error.code}` : "internal failure";
  return { code: status.UNAVAILABLE, details };
};

/** Returns whether asking again a little later may help: nothing is there yet. */
export const mayComeLater = (error: unknown): boolean =>
  isRpcFailure(error) && (error.code === status.NOT_FOUND || error.code === status.FAILED_PRECONDITION);
