import { jsonText } from "@capstan/schema/structural";
import { invalidOptions, optionCause } from "../model/status-error.ts";
import type { StatusCause } from "../model/types.ts";
import { isTrue } from "./query-values.ts";

const optionsKinds: Readonly<Record<string, string>> = {
  create: "CreateOptions",
  update: "UpdateOptions",
  patch: "PatchOptions",
};

/** Options in the query of a write. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string | undefined;
  readonly fieldValidation: "Ignore" | "Warn" | "Strict";
  readonly force: boolean;
}

/** Returns the causes for invalid values of `dryRun`. */
export const dryRunCauses = (values: readonly unknown[]): readonly StatusCause[] =>
  values
    .filter((value) => value !== "All")
    .slice(0, 1)
    .map((value) =>
      optionCause("dryRun", "FieldValueNotSupported", `Unsupported value: ${jsonText(value)}: supported values: "All"`),
    );

const managerCauses = (manager: string): readonly StatusCause[] => [
  ...(Buffer.byteLength(manager) > 128
    ? [optionCause("fieldManager", "FieldValueTooLong", "Too long: may not be more than 128 bytes")]
    : []),
  ...(/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(manager)
    ? []
    : [
        optionCause(
          "fieldManager",
          "FieldValueInvalid",
          `Invalid value: ${jsonText(manager)}: should only contain printable characters`,
        ),
      ]),
];

const patchCauses = (query: URLSearchParams, isApply: boolean): readonly StatusCause[] => {
  if (isApply && (query.get("fieldManager") ?? "") === "") {
    return [optionCause("fieldManager", "FieldValueRequired", "Required value: is required for apply patch")];
  }
  return !isApply && query.has("force")
    ? [optionCause("force", "FieldValueForbidden", "Forbidden: may not be specified for non-apply patch")]
    : [];
};

const validationCauses = (validation: string): readonly StatusCause[] =>
  ["", "Ignore", "Warn", "Strict"].includes(validation)
    ? []
    : [
        optionCause(
          "fieldValidation",
          "FieldValueNotSupported",
          `Unsupported value: ${jsonText(validation)}: supported values: "Ignore", "Strict", "Warn"`,
        ),
      ];

/** Reads and checks dryRun, fieldManager, fieldValidation and force. Throws a 422. */
export const writeOptions = (verb: string, query: URLSearchParams, isApply: boolean): WriteOptions => {
  const manager = query.get("fieldManager") ?? "";
  const validation = query.get("fieldValidation") ?? "";
  const dryRun = query.getAll("dryRun");
  const causes = [
    ...(verb === "patch" ? patchCauses(query, isApply) : []),
    ...managerCauses(manager),
    ...dryRunCauses(dryRun),
    ...validationCauses(validation),
  ];
  if (causes.length > 0) {
    throw invalidOptions(optionsKinds[verb] ?? "CreateOptions", causes);
  }
  return {
    dryRun: dryRun.length > 0,
    fieldManager: manager === "" ? undefined : manager,
    fieldValidation: (validation === "" ? "Warn" : validation) as WriteOptions["fieldValidation"],
    force: isTrue(query.get("force")),
  };
};

/** `fieldManager` of a client that names none: the first part of its User-Agent. */
export const managerOfAgent = (userAgent: string | undefined): string => {
  const first = (userAgent ?? "").split(/[/ ]/)[0] ?? "";
  return first === "" ? "unknown" : first.slice(0, 128);
};
