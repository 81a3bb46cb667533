import type { Readable } from "node:stream";
import { isCapstanError } from "@capstan/contract";
import { elementalError } from "../errors.ts";

/** Answer of the Elemental API. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or bytes as they come. */
  readonly body?: object | Readable;
}

/** A request that is refused with a status, and why. */
export const refused = (status: number, message: string): Error =>
  elementalError({ code: "elemental.request_refused", reason: "RequestRefused", message, details: { status } });

/** Returns the answer to an error. It has the message of a refusal, and no details of other errors. */
export const answerOf = (error: unknown): Answer => {
  if (!isCapstanError(error, "elemental.request_refused")) return { status: 500, body: { message: "internal error" } };
  return { status: Number(error.details["status"]), body: { message: error.message } };
};

/** Returns whether an error is our own fault. */
export const isInternal = (error: unknown): boolean => !isCapstanError(error, "elemental.request_refused");
