import type { ConditionInput, ConditionStatus, Severity } from "@capstan/contract/wire";
import { isDnsSubdomain, isLabelValue, isQualifiedName } from "@capstan/kube-values";
import { isJsonObject, type JsonObject } from "@capstan/schema";
import { ElementalCondition, hostPhases, type HostPhase } from "../api/elemental-conditions.ts";
import type { ElementalRegistration } from "../api/elemental-registration.v1beta1.ts";
import { refused } from "./answer.ts";
import { isHostKey } from "./host-token.ts";

/** Largest message of a condition; a longer one keeps its end. */
const maxMessage = 8192;

/** Report of an agent about its host. Missing fields leave the host unchanged. */
export interface HostReport {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly installed?: boolean;
  readonly bootstrapped?: boolean;
  readonly reset?: boolean;
  readonly inPlaceUpdate?: string;
  readonly phase?: HostPhase;
  readonly condition?: ConditionInput;
  /** Digest of the bundle that is installed. */
  readonly components?: string;
}

/** A host that registers. */
export interface NewHost {
  readonly name: string;
  readonly publicKey: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

type Allowed = Pick<NonNullable<ElementalRegistration["spec"]>, "hostLabels" | "hostAnnotations">;

const textMap = (body: JsonObject, field: string): Readonly<Record<string, string>> => {
  const value = body[field] ?? {};
  if (!isJsonObject(value) || Object.values(value).some((text) => typeof text !== "string")) {
    throw refused(400, `${field} is not a map of strings`);
  }
  return value as Readonly<Record<string, string>>;
};

/** A host sets what its registration names, and nothing by which controllers steer. */
const allowedOf = (
  body: JsonObject,
  field: "annotations" | "labels",
  allowed: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> => {
  const entries = textMap(body, field);
  const setting = field === "labels" ? "spec.hostLabels" : "spec.hostAnnotations";
  for (const [key, value] of Object.entries(entries)) {
    if (!isQualifiedName(key)) throw refused(400, `${field}: ${JSON.stringify(key)} is not a valid key`);
    if (allowed?.[key] === undefined) {
      throw refused(400, `${field}: a host may not set ${key}; name it in ${setting} of the registration`);
    }
    const isValid = field === "annotations" || isLabelValue(value);
    if (!isValid) throw refused(400, `${field}: the value of ${key} is not a valid label value`);
  }
  return entries;
};

const flag = (body: JsonObject, field: string): boolean | undefined => {
  const value = body[field] ?? undefined;
  if (value !== undefined && typeof value !== "boolean") throw refused(400, `${field} is neither true nor false`);
  return value;
};

const oneOf = <T extends string>(body: JsonObject, field: string, values: readonly T[]): T | undefined => {
  const value = body[field] ?? undefined;
  if (value === undefined) return undefined;
  const known = values.find((each) => each === value);
  if (known === undefined) throw refused(400, `${field} is none of ${values.join(", ")}`);
  return known;
};

const statuses: readonly ConditionStatus[] = ["True", "False", "Unknown"];
const severities: readonly Severity[] = ["Error", "Warning", "Info"];
const hostConditions: readonly string[] = [
  ElementalCondition.registrationReady,
  ElementalCondition.installationReady,
  ElementalCondition.bootstrapReady,
  ElementalCondition.resetReady,
  ElementalCondition.osVersionReady,
  ElementalCondition.componentsReady,
];

const conditionIn = (body: JsonObject): ConditionInput | undefined => {
  const condition = body["condition"] ?? undefined;
  if (condition === undefined) return undefined;
  if (!isJsonObject(condition)) throw refused(400, "condition is not an object");
  const type = oneOf(condition, "type", hostConditions);
  const status = oneOf(condition, "status", statuses);
  const severity = condition["severity"] === "" ? undefined : oneOf(condition, "severity", severities);
  const { message = "", reason = "" } = condition;
  if (type === undefined || status === undefined) throw refused(400, "condition needs type and status");
  if (typeof message !== "string" || typeof reason !== "string") throw refused(400, "condition: no texts");
  return { type, status, reason, message: message.slice(-maxMessage), ...(severity === undefined ? {} : { severity }) };
};

const digestIn = (body: JsonObject): string | undefined => {
  const components = body["components"] ?? undefined;
  if (components === undefined) return undefined;
  const installed = isJsonObject(components) ? components["installed"] : undefined;
  if (typeof installed !== "string" || !/^sha256:[0-9a-f]{64}$/.test(installed)) {
    throw refused(400, "components.installed is not a digest");
  }
  return installed;
};

/** Reads the report of an agent. Throws a refusal (400). */
export const readReport = (body: JsonObject, allowed: Allowed): HostReport => {
  const report = {
    installed: flag(body, "installed"),
    bootstrapped: flag(body, "bootstrapped"),
    reset: flag(body, "reset"),
    inPlaceUpdate: oneOf(body, "inPlaceUpdate", ["", "pending", "done"]),
    phase: oneOf(body, "phase", hostPhases),
    condition: conditionIn(body),
    components: digestIn(body),
  };
  return {
    ...(Object.fromEntries(Object.entries(report).filter(([, value]) => value !== undefined)) as Partial<HostReport>),
    labels: allowedOf(body, "labels", allowed.hostLabels),
    annotations: allowedOf(body, "annotations", allowed.hostAnnotations),
  };
};

/** Reads what a host registers with. Throws a refusal (400). */
export const readNewHost = (body: JsonObject, allowed: Allowed): NewHost => {
  const { name, pubKey } = body;
  if (typeof name !== "string" || !isDnsSubdomain(name) || name.length > 63) {
    throw refused(400, "name has to be a host name of at most 63 lower-case letters, digits, - and .");
  }
  if (typeof pubKey !== "string" || !isHostKey(pubKey)) throw refused(400, "pubKey is no PEM of an Ed25519 key");
  return {
    name,
    publicKey: pubKey,
    labels: allowedOf(body, "labels", allowed.hostLabels),
    annotations: allowedOf(body, "annotations", allowed.hostAnnotations),
  };
};
