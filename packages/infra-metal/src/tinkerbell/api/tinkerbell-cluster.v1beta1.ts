import { boolean, conditions, defaulted, int32, kind, object, optional, string, text } from "@capstan/schema";
import { Template } from "@capstan/tinkerbell/api";
import { imageLookupFields } from "./image-lookup.ts";
import { clusterNameColumn, tinkerbellKind } from "./names.ts";
import { initialization } from "./status-parts.ts";

const templateRef = () =>
  object(
    {
      name: string({ description: "Name of the Template." }),
      namespace: optional(string({ description: "Namespace of the Template; the TinkerbellCluster's when unset." })),
    },
    { description: "A Template whose text the Templates of all machines get." },
  );

const endpoint = () =>
  object(
    {
      host: optional(text(512, "Host name or address.")),
      port: optional(int32({ description: "Port; 6443 when unset.", minimum: 1, maximum: 65_535 })),
    },
    {
      description: "Where the API server of the workload cluster answers; the Cluster's endpoint when unset.",
      minProperties: 1,
    },
  );

/** The infrastructure of a Cluster on machines that Tinkerbell provisions. */
export const TinkerbellCluster = kind({
  ...tinkerbellKind,
  kind: "TinkerbellCluster",
  plural: "tinkerbellclusters",
  references: [{ path: "spec.templateOverrideRef", target: Template, verbs: ["get"] }],
  description: "The infrastructure of a Cluster on machines that Tinkerbell provisions.",
  columns: [clusterNameColumn, { name: "Ready", path: ".status.ready" }],
  spec: optional(
    object(
      {
        controlPlaneEndpoint: optional(endpoint()),
        ...imageLookupFields,
        imageLookupBaseRegistry: defaulted(
          string({ description: "Registry of the images." }),
          "ghcr.io/tinkerbell/cluster-api-provider-tinkerbell",
        ),
        imageLookupOSDistro: defaulted(string({ description: "Distribution of the images." }), "ubuntu"),
        templateOverride: optional(string({ description: "The text of the Templates of all machines." })),
        templateOverrideRef: optional(templateRef()),
      },
      {
        description: "What the infrastructure is to be.",
        rules: [
          {
            rule: "!has(self.templateOverride) || !has(self.templateOverrideRef)",
            message: "templateOverride and templateOverrideRef are mutually exclusive",
          },
        ],
      },
    ),
  ),
  status: object({
    ready: optional(boolean({ description: "The endpoint is known." })),
    initialization: optional(initialization()),
    conditions: optional(conditions()),
  }),
});

/** One TinkerbellCluster. */
export type TinkerbellCluster = typeof TinkerbellCluster.Type;
