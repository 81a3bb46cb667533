import { Refusal, Reply } from "@capstan/simulation";

/** A refusal with a code of ARM. */
export const refusal = (status: number, code: string, message: string, field?: string): Refusal =>
  new Refusal(status, message, { code, field });

/** 404 of a resource in a group that exists. */
export const resourceNotFound = (type: string, name: string, group: string): Refusal =>
  refusal(
    404,
    "ResourceNotFound",
    `The Resource '${type}/${name}' under resource group '${group}' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix`,
  );

/** 404 of a part of a resource, such as a subnet. */
export const partNotFound = (id: string): Refusal => refusal(404, "NotFound", `Resource ${id} not found.`);

export const groupNotFound = (name: string): Refusal =>
  refusal(404, "ResourceGroupNotFound", `Resource group '${name}' could not be found.`);

/** Returns the refusal for a reference to a resource that does not exist. */
export const invalidReference = (target: string, by: string): Refusal =>
  refusal(
    400,
    "InvalidResourceReference",
    `Resource ${target} referenced by resource ${by} was not found. Please make sure that the referenced resource exists, and that both resources are in the same region.`,
  );

/** Codes where the simulation, or whoever plans a fault, names none. */
const codes: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "AuthenticationFailed",
  403: "AuthorizationFailed",
  404: "ResourceNotFound",
  405: "MethodNotAllowed",
  408: "RequestTimeout",
  409: "Conflict",
  412: "PreconditionFailed",
  413: "RequestContentTooLarge",
  429: "TooManyRequests",
  502: "BadGateway",
  503: "ServiceUnavailable",
  504: "GatewayTimeout",
};

/** Codes that come with a second one inside. */
const details: Readonly<Record<string, string>> = {
  PreconditionFailed: "PreconditionFailedEtagMismatch",
  RetryableError: "ReferencedResourceNotProvisioned",
};

/** The status and code of what no documented request contains. */
const violations: Readonly<Record<string, readonly [number, string]>> = {
  UnknownPath: [404, "InvalidResourceType"],
  UnknownMethod: [405, "MethodNotAllowed"],
};

/** A refusal in the words of ARM. */
export const wordRefusal = ({ status, code, message, field, violation }: Refusal): Reply => {
  const [answered, known] = violation ? (violations[code ?? ""] ?? [400, "InvalidRequestContent"]) : [status, code];
  const worded = known ?? codes[status] ?? "InternalServerError";
  const detail = details[worded];
  return new Reply(answered, {
    error: {
      code: worded,
      message: field === undefined || !violation ? message : `${field}: ${message}`,
      ...(field === undefined ? {} : { target: field }),
      ...(detail === undefined ? {} : { details: [{ code: detail, message }] }),
    },
  });
};
