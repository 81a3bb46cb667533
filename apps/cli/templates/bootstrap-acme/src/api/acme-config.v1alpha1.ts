import { Group } from "@capstan/contract";
import { bootstrapConfigStatus } from "@capstan/contract/v1";
import { contractLabel } from "@capstan/contract/wire";
import { kind, list, object, optional, text } from "@capstan/schema";

const version = "v1alpha1";

const facts = {
  group: Group.bootstrap,
  version,
  labels: { [contractLabel("v1beta2")]: version },
} as const;

const key = object(
  { name: text(253, "Name of the object."), key: text(253, "Key in its data.") },
  { description: "A key of a Secret or ConfigMap in the namespace of the config." },
);

const file = object(
  {
    path: text(512, "Path of the file."),
    permissions: optional(text(16, "Mode in octal, for example 0640.")),
    content: optional(text(10_240, "The content.")),
    contentFrom: optional(
      object({ secret: optional(key), configMap: optional(key) }, { description: "Where the content is instead." }),
    ),
  },
  { description: "One file." },
);

const spec = object(
  {
    files: optional(list(file, { description: "Files to write before the node is made.", maxItems: 100 })),
    commands: optional(
      list(text(1024, "A command for the shell."), { description: "Commands to run before that.", maxItems: 100 }),
    ),
  },
  { description: "What the machine has beside its node." },
);

export const AcmeConfig = kind({
  ...facts,
  kind: "AcmeConfig",
  plural: "acmeconfigs",
  description: "Makes one machine a Node.",
  spec: optional(spec),
  status: bootstrapConfigStatus({}),
});
export type AcmeConfig = typeof AcmeConfig.Type;

export const AcmeConfigTemplate = kind({
  ...facts,
  kind: "AcmeConfigTemplate",
  plural: "acmeconfigtemplates",
  description: "What the AcmeConfigs of a group of Machines are made from.",
  spec: object({ template: object({ spec: optional(spec) }, { description: "The template." }) }),
});
