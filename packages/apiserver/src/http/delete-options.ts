import { isJsonObject, type JsonObject } from "@capstan/schema";
import { jsonText } from "@capstan/schema/structural";
import type { DecodedBody } from "../decode/json-text.ts";
import { badRequest, invalidOptions, optionCause } from "../model/status-error.ts";
import type { DeleteOptions, StatusCause } from "../model/types.ts";
import { booleanOption, numberOption } from "./query-values.ts";
import { dryRunCauses } from "./write-options.ts";

/** DeleteOptions as they are written, with members of the right types. */
interface GivenOptions {
  readonly gracePeriodSeconds?: number;
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
  readonly preconditions?: NonNullable<DeleteOptions["preconditions"]>;
  readonly dryRun: readonly string[];
}

const isText = (value: unknown): boolean => typeof value === "string";

const membersOf: Readonly<Record<string, (value: unknown) => boolean>> = {
  gracePeriodSeconds: (value) => Number.isSafeInteger(value),
  orphanDependents: (value) => typeof value === "boolean",
  ignoreStoreReadErrorWithClusterBreakingPotential: (value) => typeof value === "boolean",
  propagationPolicy: isText,
  dryRun: (value) => Array.isArray(value) && value.every(isText),
  preconditions: (value) =>
    isJsonObject(value) &&
    [value["uid"], value["resourceVersion"]].every((member) => (member ?? null) === null || isText(member)),
};

const presentMembers = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

const optionsInBody = ({ value }: DecodedBody): GivenOptions => {
  if (!isJsonObject(value)) {
    throw badRequest("the body must be a DeleteOptions object");
  }
  const kind = value["kind"] ?? "DeleteOptions";
  if (kind !== "DeleteOptions") {
    throw badRequest(`expected a DeleteOptions body, got ${jsonText(kind)}`);
  }
  const given = presentMembers(value);
  for (const [name, isRight] of Object.entries(membersOf)) {
    if (given[name] !== undefined && !isRight(given[name])) {
      throw badRequest(`the body is no DeleteOptions object: ${name} has the wrong type`);
    }
  }
  const preconditions = given["preconditions"];
  return {
    dryRun: [],
    ...given,
    ...(isJsonObject(preconditions) && { preconditions: presentMembers(preconditions) }),
  };
};

const optionsInQuery = (query: URLSearchParams): GivenOptions => {
  const gracePeriodSeconds = numberOption(query, "gracePeriodSeconds");
  const orphanDependents = booleanOption(query, "orphanDependents");
  const propagationPolicy = query.get("propagationPolicy");
  const [uid, resourceVersion] = [query.get("uid") ?? "", query.get("resourceVersion") ?? ""];
  return {
    dryRun: query.getAll("dryRun"),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(propagationPolicy !== null && { propagationPolicy }),
    preconditions: { ...(uid !== "" && { uid }), ...(resourceVersion !== "" && { resourceVersion }) },
  };
};

const policies = ["Foreground", "Background", "Orphan"];

const policyCauses = ({ propagationPolicy: policy, orphanDependents }: GivenOptions): readonly StatusCause[] => {
  if (policy === undefined) {
    return [];
  }
  const both = `Invalid value: ${jsonText(policy)}: orphanDependents and deletionPropagation cannot be both set`;
  const unsupported = `Unsupported value: ${jsonText(policy)}: supported values: ${policies.map((name) => jsonText(name)).join(", ")}`;
  return [
    ...(orphanDependents === undefined ? [] : [optionCause("propagationPolicy", "FieldValueInvalid", both)]),
    ...(policies.includes(policy) ? [] : [optionCause("propagationPolicy", "FieldValueNotSupported", unsupported)]),
  ];
};

/** Options of a deletion. */
export interface RequestedDeletion extends DeleteOptions {
  readonly dryRun: boolean;
  /** As given, in the older way to choose a policy. */
  readonly orphanDependents?: boolean;
}

/**
 * DeleteOptions from the body, or else from the query; `dryRun` counts in both, so that nothing is deleted that was to be tried
 * only. Throws a 400 or 422.
 */
export const deleteOptions = (body: DecodedBody | undefined, query: URLSearchParams): RequestedDeletion => {
  const given = body === undefined ? optionsInQuery(query) : optionsInBody(body);
  const dryRun = [...given.dryRun, ...(body === undefined ? [] : query.getAll("dryRun"))];
  const causes = [...policyCauses(given), ...dryRunCauses(dryRun)];
  if (causes.length > 0) {
    throw invalidOptions("DeleteOptions", causes);
  }
  const { gracePeriodSeconds, orphanDependents, preconditions } = given;
  const older = orphanDependents === undefined ? undefined : orphanDependents ? "Orphan" : "Background";
  const propagationPolicy = (given.propagationPolicy ?? older) as DeleteOptions["propagationPolicy"];
  return {
    dryRun: dryRun.length > 0,
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(preconditions !== undefined && { preconditions }),
  };
};
