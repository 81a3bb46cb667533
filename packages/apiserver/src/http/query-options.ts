import type { Cause } from "@capstan/schema";
import { jsonText } from "@capstan/schema/structural";
import { badRequest, invalidOption } from "../model/status-error.ts";
import type { DeleteOptions } from "../model/types.ts";
import type { DecodedBody } from "../decode/json-text.ts";
import { isTrue } from "./request-info.ts";

type OptionsKind = "CreateOptions" | "UpdateOptions" | "PatchOptions" | "DeleteOptions";

const optionsKinds: Readonly<Record<string, OptionsKind>> = {
  create: "CreateOptions",
  update: "UpdateOptions",
  patch: "PatchOptions",
};

/** What a write asks for in its query. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string | undefined;
  readonly fieldValidation: "Ignore" | "Warn" | "Strict";
  readonly force: boolean;
}

const refuse = (kind: OptionsKind, field: string, reason: Cause["reason"], message: string): never => {
  throw invalidOption(kind, field, reason, message);
};

const checkedDryRun = (values: readonly unknown[], kind: OptionsKind): boolean => {
  const unknown = values.find((value) => value !== "All" && value !== "");
  if (unknown !== undefined) {
    refuse(
      kind,
      "dryRun",
      "FieldValueNotSupported",
      `Unsupported value: ${jsonText(unknown)}: supported values: "All"`,
    );
  }
  return values.includes("All");
};

const checkManager = (manager: string | null, kind: OptionsKind): void => {
  if (manager === null) {
    return;
  }
  if (Buffer.byteLength(manager) > 128) {
    refuse(kind, "fieldManager", "FieldValueTooLong", "Too long: may not be more than 128 bytes");
  }
  if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(manager)) {
    refuse(
      kind,
      "fieldManager",
      "FieldValueInvalid",
      `Invalid value: ${jsonText(manager)}: should only contain printable characters`,
    );
  }
};

/** Reads and checks dryRun, fieldManager, fieldValidation and force. Throws a 422. */
export const writeOptions = (verb: string, query: URLSearchParams, isApply: boolean): WriteOptions => {
  const kind = optionsKinds[verb] ?? "DeleteOptions";
  const manager = query.get("fieldManager");
  const validation = query.get("fieldValidation") ?? "";
  checkManager(manager, kind);
  if (!["", "Ignore", "Warn", "Strict"].includes(validation)) {
    refuse(
      kind,
      "fieldValidation",
      "FieldValueNotSupported",
      `Unsupported value: ${jsonText(validation)}: supported values: "Ignore", "Strict", "Warn"`,
    );
  }
  if (isApply && (manager ?? "") === "") {
    refuse(kind, "fieldManager", "FieldValueRequired", "Required value: is required for apply patch");
  }
  if (!isApply && query.has("force") && verb === "patch") {
    refuse(kind, "force", "FieldValueForbidden", "Forbidden: may not be specified for non-apply patch");
  }
  return {
    dryRun: checkedDryRun(query.getAll("dryRun"), kind),
    fieldManager: manager === null || manager === "" ? undefined : manager,
    fieldValidation: (validation === "" ? "Warn" : validation) as WriteOptions["fieldValidation"],
    force: isTrue(query.get("force")),
  };
};

/** `fieldManager` of a client that names none: the first part of its User-Agent. */
export const managerOfAgent = (userAgent: string | undefined): string => {
  const first = (userAgent ?? "").split(/[/ ]/)[0] ?? "";
  return first === "" ? "unknown" : first.slice(0, 128);
};

/** A number in a query; `undefined` when absent. Throws a 400. */
export const numberOption = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name);
  if (text === null) {
    return undefined;
  }
  if (!/^-?\d{1,15}$/.test(text)) {
    throw badRequest(`invalid value ${jsonText(text)} for ${name}: must be a number`);
  }
  return Number(text);
};

const policies = ["Background", "Foreground", "Orphan"];

const deleteBody = (body: DecodedBody | undefined): Readonly<Record<string, unknown>> | undefined => {
  if (body === undefined) {
    return undefined;
  }
  if (typeof body.value !== "object" || body.value === null || Array.isArray(body.value)) {
    throw badRequest("the body must be a DeleteOptions object");
  }
  const options = body.value as Readonly<Record<string, unknown>>;
  const kind = options["kind"] ?? "DeleteOptions";
  if (kind !== "DeleteOptions") {
    throw badRequest(`expected a DeleteOptions body, got ${jsonText(kind)}`);
  }
  return options;
};

/** DeleteOptions from the body, or else from the query. Throws a 400 or 422. */
export const deleteOptions = (
  body: DecodedBody | undefined,
  query: URLSearchParams,
): DeleteOptions & { readonly dryRun: boolean } => {
  const given = deleteBody(body) ?? {
    ...(query.has("propagationPolicy") ? { propagationPolicy: query.get("propagationPolicy") } : {}),
    ...(query.has("orphanDependents") ? { orphanDependents: isTrue(query.get("orphanDependents")) } : {}),
    ...(query.has("gracePeriodSeconds") ? { gracePeriodSeconds: numberOption(query, "gracePeriodSeconds") } : {}),
  };
  const {
    propagationPolicy: policy,
    orphanDependents,
    gracePeriodSeconds,
    preconditions,
    dryRun,
  } = given as Record<string, unknown>;
  if (policy !== undefined && policy !== null && orphanDependents !== undefined && orphanDependents !== null) {
    refuse(
      "DeleteOptions",
      "propagationPolicy",
      "FieldValueInvalid",
      `Invalid value: ${jsonText(policy)}: orphanDependents and deletionPropagation cannot be both set`,
    );
  }
  if (policy !== undefined && policy !== null && !policies.includes(policy as string)) {
    refuse(
      "DeleteOptions",
      "propagationPolicy",
      "FieldValueNotSupported",
      `Unsupported value: ${jsonText(policy)}: supported values: "Foreground", "Background", "Orphan"`,
    );
  }
  const effective =
    policy ?? (orphanDependents === true ? "Orphan" : orphanDependents === false ? "Background" : undefined);
  const bodyDryRun = Array.isArray(dryRun) ? dryRun : [];
  return {
    dryRun: checkedDryRun([...query.getAll("dryRun"), ...bodyDryRun], "DeleteOptions"),
    ...(effective === undefined
      ? {}
      : { propagationPolicy: effective as NonNullable<DeleteOptions["propagationPolicy"]> }),
    ...(typeof gracePeriodSeconds === "number" ? { gracePeriodSeconds } : {}),
    ...(typeof preconditions === "object" && preconditions !== null ? { preconditions: preconditions } : {}),
  };
};
