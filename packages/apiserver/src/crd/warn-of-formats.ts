import type { StructuralSchema } from "@capstan/schema";
import type { HookContext } from "../model/types.ts";
import type { CustomResourceDefinition } from "./crd-types.ts";

/** Formats that kube-apiserver 1.36 knows, by type; each other one is taken and has no effect. */
const knownFormats: Readonly<Record<string, readonly string[]>> = {
  string:
    "bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn hexcolor rgbcolor byte password date duration datetime date-time k8s-short-name k8s-long-name".split(
      " ",
    ),
  integer: ["int32", "int64"],
  number: ["float", "double"],
};

const unknownFormats = function* (schema: StructuralSchema | undefined): Generator<string> {
  if (schema === undefined) return;
  const { additionalProperties, format, items, properties = {}, type = "" } = schema;
  if (format !== undefined && format !== "" && knownFormats[type]?.includes(format) !== true) yield format;
  for (const member of Object.values(properties)) yield* unknownFormats(member);
  if (typeof additionalProperties === "object") yield* unknownFormats(additionalProperties);
  yield* unknownFormats(items);
};

const formatsOf = (definition: CustomResourceDefinition | undefined): ReadonlySet<string> =>
  new Set((definition?.spec.versions ?? []).flatMap(({ schema }) => [...unknownFormats(schema?.openAPIV3Schema)]));

/** Warns of formats in the schemas of a definition that have no effect, in the words of Kubernetes, but not of those that it had before. */
export const warnOfFormats = (
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  context: HookContext,
): void => {
  const before = formatsOf(old);
  for (const format of formatsOf(definition)) {
    if (!before.has(format)) context.warn(`unrecognized format ${JSON.stringify(format)}`);
  }
};
