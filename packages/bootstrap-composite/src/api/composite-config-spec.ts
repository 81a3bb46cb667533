import { bootstrapFormats } from "@capstan/contract/wire";
import { DnsPattern } from "@capstan/kube-values";
import { list, object, optional, string, text } from "@capstan/schema";

/** Default merge rule of cloud-init for parts: merges maps, appends lists, and keeps values of earlier parts. */
export const defaultMerge = "list(append)+dict(no_replace,recurse_list)+str()";

const reference = (description: string) =>
  object(
    {
      apiGroup: text(253, "API group, without a version."),
      kind: text(63, "Kind of the object."),
      name: text(253, "Name of the object, in the same namespace."),
    },
    { description },
  );

const part = () =>
  object(
    {
      name: string({
        description: "Name of the part, unique in its config.",
        minLength: 1,
        maxLength: 63,
        pattern: DnsPattern.label,
      }),
      configRef: optional(
        reference("A bootstrap config of any provider, for a single Machine; groups of Machines need templateRef."),
      ),
      templateRef: optional(reference("A template of any bootstrap provider, cloned for every Machine.")),
      content: optional(
        text(
          65_536,
          "The part itself: a document that cloud-init knows by its first line, such as #cloud-config or #!.",
        ),
      ),
      contentFrom: optional(
        object(
          {
            secret: object(
              { name: text(253, "Name of the Secret."), key: text(253, "Key in its data.") },
              { description: "A Secret in the namespace of the object." },
            ),
          },
          { description: "Where the part stands." },
        ),
      ),
      merge: optional(
        text(
          256,
          `How cloud-init merges the part with those before it, if it is a cloud-config. Default ${defaultMerge}.`,
        ),
      ),
    },
    {
      description: "One part of the document.",
      rules: [
        {
          rule: "[has(self.configRef), has(self.templateRef), has(self.content), has(self.contentFrom)].filter(x, x).size() == 1",
          message: "exactly one of configRef, templateRef, content and contentFrom must be set",
        },
      ],
    },
  );

/** Fields of the document of a machine, shared by both kinds. */
export const compositeConfigSpec = () =>
  object(
    {
      parts: list(part(), {
        description: `The parts of the document, all of format ${bootstrapFormats.cloudConfig}. The machine runs the commands of the cloud-configs in the order of the parts, then the scripts in theirs.`,
        minItems: 1,
        maxItems: 32,
        keys: ["name"],
      }),
    },
    { description: "Of which parts the bootstrap data is made." },
  );
