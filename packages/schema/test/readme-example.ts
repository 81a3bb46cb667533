import { immutable, int32, kind, object, optional, string } from "@capstan/schema";
import { checkKind, crdOf } from "@capstan/schema/manifest";
import { applyDefaults, prune, validate } from "@capstan/schema/structural";

export const Server = kind({
  group: "infrastructure.example.test",
  version: "v1alpha1",
  kind: "Server",
  plural: "servers",
  description: "A server at Example.",
  columns: [{ name: "State", path: ".status.state" }],
  spec: object({
    region: immutable(string({ description: "Region id.", minLength: 1, maxLength: 32 })),
    diskGiB: optional(int32({ description: "Boot disk size.", minimum: 10 })),
  }),
  status: object({ state: optional(string({ description: "State reported by Example." })) }),
});
export type Server = typeof Server.Type; // { apiVersion, kind, metadata, spec: { region, diskGiB? }, status?: { state? } }

export const definition = crdOf(Server); // the CustomResourceDefinition
export const faults = checkKind(Server); // what the API server or a reader would miss: []

/** What the API server does with an object, CEL apart. */
export const admit = (input: unknown, oldObject?: unknown) => {
  const { value, unknown } = prune(Server.schema, input);
  const admitted = applyDefaults(Server.schema, value);
  return { admitted, unknown, causes: validate(Server.schema, admitted, { oldValue: oldObject }) };
};
