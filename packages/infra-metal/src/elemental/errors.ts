import { CapstanError } from "@capstan/contract";
import type { CapstanErrorOptions } from "@capstan/contract";

/** An error of the Elemental part. Nothing is retried unless it says so. */
export const elementalError = ({ retry = { kind: "never" }, ...parts }: CapstanErrorOptions): CapstanError =>
  new CapstanError({ retry, ...parts });
