import { map, object, optional, string, textsField } from "@capstan/schema";
import { dataFields, filesField } from "./pipeline-fields.ts";
import { rke2AgentConfig } from "./rke2-agent-config.ts";

/** Fields of an RKE2Config, which an RKE2ControlPlane has too. They are the same in all versions. */
export const rke2ConfigFields = () => ({
  files: filesField("Files to write before RKE2 is installed."),
  preRKE2Commands: textsField("Commands to run before RKE2 is installed.", "A command for the shell."),
  postRKE2Commands: textsField("Commands to run once RKE2 has started.", "A command for the shell."),
  agentConfig: optional(rke2AgentConfig()),
  ...dataFields(),
});

/** Labels and annotations that a template hands to what is made from it. */
export const templateMetadata = (limits: { readonly minProperties?: number } = {}) =>
  object(
    {
      labels: optional(map(string({ description: "Value of the label." }), { description: "Labels to set." })),
      annotations: optional(
        map(string({ description: "Value of the annotation." }), { description: "Annotations to set." }),
      ),
    },
    { description: "Labels and annotations of what is made from the template.", ...limits },
  );
