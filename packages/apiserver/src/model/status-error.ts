import { CapstanError } from "@capstan/contract";
import type { Cause } from "@capstan/schema";
import type { ResourceDefinition, Status, StatusCause } from "./types.ts";

/** A failure that is answered with a `Status` object. Codes are `apiserver.<reason in snake case>`. */
export class StatusError extends CapstanError {
  readonly status: Status & { readonly code: number };

  constructor(
    code: number,
    reason: string,
    message: string,
    options: { readonly details?: Status["details"]; readonly cause?: unknown } = {},
  ) {
    super({
      code: `apiserver.${reason === "" ? "internal" : reason.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase()}`,
      reason: reason === "" ? "InternalError" : reason,
      message,
      ...(code >= 500 || code === 429 ? {} : { retry: { kind: "never" } }),
      ...(options.cause === undefined ? {} : { cause: options.cause }),
    });
    this.name = "StatusError";
    this.status = {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message,
      ...(reason === "" ? {} : { reason }),
      ...(options.details === undefined ? {} : { details: options.details }),
      code,
    };
  }
}

export const isStatusError = (error: unknown, reason?: string): error is StatusError =>
  error instanceof StatusError && (reason === undefined || error.status.reason === reason);

type Named = Pick<ResourceDefinition, "group" | "plural" | "kind">;

/** `widgets.conf.capstan.test`, or `configmaps` for the core group. */
export const qualifiedResource = (definition: Pick<Named, "group" | "plural">): string =>
  definition.group === "" ? definition.plural : `${definition.plural}.${definition.group}`;

const qualifiedKind = (definition: Named): string =>
  definition.group === "" ? definition.kind : `${definition.kind}.${definition.group}`;

const details = (definition: Pick<Named, "group" | "plural">, name: string): NonNullable<Status["details"]> => ({
  ...(name === "" ? {} : { name }),
  ...(definition.group === "" ? {} : { group: definition.group }),
  kind: definition.plural,
});

/** Returns a 413 for a request, or an object to be stored, that exceeds the limits of the server. */
export const requestTooLarge = (why: string): StatusError =>
  new StatusError(413, "RequestEntityTooLarge", `Request entity too large: ${why}`);

export const badRequest = (message: string, cause?: unknown): StatusError =>
  new StatusError(400, "BadRequest", message, { cause });

export const notFound = (definition: Pick<Named, "group" | "plural">, name: string): StatusError =>
  new StatusError(404, "NotFound", `${qualifiedResource(definition)} "${name}" not found`, {
    details: details(definition, name),
  });

/** The path names no resource that is served. */
export const noSuchResource = (): StatusError =>
  new StatusError(404, "NotFound", "the server could not find the requested resource", { details: {} });

export const alreadyExists = (definition: Named, name: string): StatusError =>
  new StatusError(409, "AlreadyExists", `${qualifiedResource(definition)} "${name}" already exists`, {
    details: details(definition, name),
  });

export const conflict = (definition: Named, name: string, why: string): StatusError =>
  new StatusError(
    409,
    "Conflict",
    `Operation cannot be fulfilled on ${qualifiedResource(definition)} "${name}": ${why}`,
    { details: details(definition, name) },
  );

/** A write based on an old state. */
export const staleConflict = (definition: Named, name: string): StatusError =>
  conflict(
    definition,
    name,
    "the object has been modified; please apply your changes to the latest version and try again",
  );

export const forbidden = (
  definition: Pick<Named, "group" | "plural">,
  name: string,
  why: string,
  causes?: readonly StatusCause[],
): StatusError =>
  new StatusError(403, "Forbidden", `${qualifiedResource(definition)} "${name}" is forbidden: ${why}`, {
    details: { ...details(definition, name), ...(causes === undefined ? {} : { causes }) },
  });

/** 422 with the causes of a validation. */
export const invalid = (definition: Named, name: string, causes: readonly (Cause | StatusCause)[]): StatusError => {
  const texts = causes.map((cause) => `${cause.field}: ${cause.message}`);
  return new StatusError(
    422,
    "Invalid",
    `${qualifiedKind(definition)} "${name}" is invalid: ${texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`}`,
    { details: { ...details(definition, name), kind: definition.kind, causes } },
  );
};

/** Returns the cause for one invalid request option, such as `dryRun` or `fieldManager`. */
export const optionCause = (field: string, reason: Cause["reason"], message: string): StatusCause => ({
  reason,
  field,
  message,
});

/** 422 about request options; `kind` as upstream names the options object. */
export const invalidOptions = (kind: string, causes: readonly StatusCause[]): StatusError => {
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  const text = texts.length === 1 ? texts.join("") : `[${texts.join(", ")}]`;
  return new StatusError(422, "Invalid", `${kind}.meta.k8s.io "" is invalid: ${text}`, {
    details: { group: "meta.k8s.io", kind, causes },
  });
};

export const methodNotAllowed = (): StatusError =>
  new StatusError(405, "MethodNotAllowed", "the server does not allow this method on the requested resource");

export const internalError = (message: string, cause?: unknown): StatusError =>
  new StatusError(500, "InternalError", `Internal error occurred: ${message}`, {
    details: { causes: [{ message }] },
    cause,
  });

export const tooManyRequests = (message: string, retryAfterSeconds: number): StatusError =>
  new StatusError(429, "TooManyRequests", message, { details: { retryAfterSeconds } });
