import { isDnsLabel, isDnsSubdomain, isLabelValue, isQualifiedName } from "@capstan/kube-values";
import type { Cause, KubeObject, OwnerReference } from "@capstan/schema";
import type { ResourceDefinition, Strategy } from "../model/types.ts";

const maximumAnnotations = 262_144;

const cause = (reason: Cause["reason"], field: string, message: string): Cause => ({ reason, field, message });

/** Returns the fault of a DNS-1123 subdomain; `undefined` if it is valid. */
export const subdomainFault = (name: string): string | undefined =>
  isDnsSubdomain(name)
    ? undefined
    : "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character, and be at most 253 characters";

const nameFaults: Readonly<Record<NonNullable<Strategy["nameFormat"]>, (name: string) => string | undefined>> = {
  subdomain: subdomainFault,
  label: (name) =>
    isDnsLabel(name)
      ? undefined
      : "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character, and be at most 63 characters",
  path: (name) =>
    name !== "." && name !== ".." && !/[/%]/.test(name) ? undefined : "may not be '.' or '..' or contain '/' or '%'",
};

/** Returns the fault of a qualified name such as a label key (`prefix/name`); `undefined` if it is valid. */
export const qualifiedNameFault = (key: string): string | undefined => {
  if (isQualifiedName(key)) return undefined;
  const slash = key.indexOf("/");
  const name = key.slice(slash + 1);
  return name !== "" && isLabelValue(name)
    ? subdomainFault(key.slice(0, slash))
    : "name part must consist of alphanumeric characters, '-', '_' or '.', start and end with an alphanumeric character, and be at most 63 characters";
};

const nameCauses = (
  metadata: KubeObject["metadata"],
  format: NonNullable<Strategy["nameFormat"]>,
): readonly Cause[] => {
  if (metadata.name === undefined || metadata.name === "") {
    return [cause("FieldValueRequired", "metadata.name", "name or generateName is required")];
  }
  // A prefix may end where a name may not.
  const prefix = metadata.generateName ?? "";
  const named = [
    ["name", metadata.name],
    ["generateName", prefix === "" ? undefined : prefix.replace(/-$/, "a")],
  ] as const;
  return named.flatMap(([member, value]) => {
    const fault = value === undefined ? undefined : nameFaults[format](value);
    return fault === undefined
      ? []
      : [cause("FieldValueInvalid", `metadata.${member}`, `Invalid value: ${JSON.stringify(value)}: ${fault}`)];
  });
};

const labelCauses = (labels: Readonly<Record<string, string>>): readonly Cause[] =>
  Object.entries(labels).flatMap(([key, value]) => {
    const keyFault = qualifiedNameFault(key);
    const valueFault = isLabelValue(value)
      ? undefined
      : "a valid label must be an empty string or consist of at most 63 alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
    return [
      ...(keyFault === undefined ? [] : [`Invalid value: ${JSON.stringify(key)}: ${keyFault}`]),
      ...(valueFault === undefined ? [] : [`Invalid value: ${JSON.stringify(value)}: ${valueFault}`]),
    ].map((message) => cause("FieldValueInvalid", "metadata.labels", message));
  });

const annotationCauses = (annotations: Readonly<Record<string, string>>): readonly Cause[] => {
  const size = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  const keys = Object.keys(annotations).flatMap((key) => {
    const fault = qualifiedNameFault(key.toLowerCase());
    return fault === undefined
      ? []
      : [cause("FieldValueInvalid", "metadata.annotations", `Invalid value: ${JSON.stringify(key)}: ${fault}`)];
  });
  return size > maximumAnnotations
    ? [
        ...keys,
        cause(
          "FieldValueTooLong",
          "metadata.annotations",
          `Too long: may not be more than ${maximumAnnotations} bytes`,
        ),
      ]
    : keys;
};

/** Finalizers of Kubernetes itself, which have no domain. */
export const plainFinalizers: ReadonlySet<string> = new Set(["orphan", "foregroundDeletion", "kubernetes"]);

/** Only built-in kinds insist on a domain: upstream's own finalizers on custom resources have none. */
const finalizerCauses = (finalizers: readonly string[], origin: ResourceDefinition["origin"]): readonly Cause[] =>
  finalizers.flatMap((finalizer, index) => {
    const field = `metadata.finalizers[${index}]`;
    const fault = qualifiedNameFault(finalizer);
    if (fault !== undefined) {
      return [cause("FieldValueInvalid", field, `Invalid value: ${JSON.stringify(finalizer)}: ${fault}`)];
    }
    return origin === "custom" || finalizer.includes("/") || plainFinalizers.has(finalizer)
      ? []
      : [
          cause(
            "FieldValueInvalid",
            field,
            `Invalid value: ${JSON.stringify(finalizer)}: name is neither a standard finalizer name nor is it fully qualified`,
          ),
        ];
  });

/** Upstream does not say which of the references it is. */
const ownerCause = (member: string, value: unknown, fault: string): Cause =>
  cause("FieldValueInvalid", `metadata.ownerReferences.${member}`, `Invalid value: ${JSON.stringify(value)}: ${fault}`);

const ownerCauses = (owners: readonly OwnerReference[]): readonly Cause[] => {
  const wrong = owners.flatMap((owner) => [
    ...(["apiVersion", "kind", "name", "uid"] as const)
      .filter((member) => typeof owner[member] !== "string" || owner[member] === "")
      .map((member) => ownerCause(member, "", "must not be empty")),
    ...(String(owner.apiVersion ?? "").split("/").length > 2
      ? [ownerCause("apiVersion", owner.apiVersion, "must be group/version")]
      : []),
  ]);
  const controllers = owners.filter((owner) => owner.controller === true);
  return controllers.length > 1
    ? [
        ...wrong,
        cause(
          "FieldValueInvalid",
          "metadata.ownerReferences",
          `Invalid value: Only one reference can have Controller set to true. Found "true" in references for ${controllers.map(({ name }) => name).join(" and ")}`,
        ),
      ]
    : wrong;
};

const generationCauses = (generation: number): readonly Cause[] =>
  generation < 0
    ? [
        cause(
          "FieldValueInvalid",
          "metadata.generation",
          `Invalid value: ${generation}: must be greater than or equal to 0`,
        ),
      ]
    : [];

/** Validates the metadata of a new or changed object. */
export const metadataCauses = (definition: ResourceDefinition, object: KubeObject): readonly Cause[] => {
  const { metadata } = object;
  return [
    ...nameCauses(metadata, definition.strategy.nameFormat ?? "subdomain"),
    ...generationCauses(metadata.generation ?? 0),
    ...labelCauses(metadata.labels ?? {}),
    ...annotationCauses(metadata.annotations ?? {}),
    ...finalizerCauses(metadata.finalizers ?? [], definition.origin),
    ...ownerCauses(metadata.ownerReferences ?? []),
  ];
};

/** Set by a deletion alone. */
const deletionMembers = ["deletionTimestamp", "deletionGracePeriodSeconds"] as const;

/** Returns the causes for changes that an update may not make to the metadata of `old`. */
export const metadataUpdateCauses = (object: KubeObject, old: KubeObject): readonly Cause[] => {
  const added = (object.metadata.finalizers ?? []).filter(
    (finalizer) => !(old.metadata.finalizers ?? []).includes(finalizer),
  );
  const set = deletionMembers
    .filter((member) => object.metadata[member] !== old.metadata[member])
    .map((member) =>
      cause(
        "FieldValueInvalid",
        `metadata.${member}`,
        `Invalid value: ${JSON.stringify(object.metadata[member])}: field is immutable`,
      ),
    );
  return old.metadata.deletionTimestamp !== undefined && added.length > 0
    ? [
        ...set,
        cause(
          "FieldValueForbidden",
          "metadata.finalizers",
          `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(added)}`,
        ),
      ]
    : set;
};

/** A random (version 4) UUID. */
export const randomUid = (bytes: (length: number) => Uint8Array): string => {
  const random = Buffer.from(bytes(16));
  random[6] = ((random[6] ?? 0) & 0x0f) | 0x40;
  random[8] = ((random[8] ?? 0) & 0x3f) | 0x80;
  const hex = random.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};
