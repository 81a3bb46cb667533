import { Group } from "@capstan/contract";
import { bootstrapConfigStatus, controlPlaneScale, controlPlaneStatus } from "@capstan/contract/v1";
import { contractLabel } from "@capstan/contract/wire";
import { enumOf, int32, kind, map, object, optional, string, time } from "@capstan/schema";

const version = "v1beta1";
const common = { version, labels: { [contractLabel("v1beta2")]: version } } as const;

const text = (description: string) => string({ description, minLength: 1, maxLength: 253 });
const texts = (description: string) => map(string({ description: "One value." }), { description });

/** Bootstrap config of a plain control plane: tells a machine to begin the cluster or to join it. */
export const PlainConfig = kind({
  ...common,
  group: Group.bootstrap,
  kind: "PlainConfig",
  plural: "plainconfigs",
  description: "Bootstrap data of one control-plane Machine.",
  spec: object({
    role: enumOf(["init", "join"], { description: "Whether the Machine begins the cluster or joins it." }),
    version: optional(text("Kubernetes version that the Machine was made for.")),
  }),
  status: bootstrapConfigStatus({}),
});
export type PlainConfig = typeof PlainConfig.Type;

/** The smallest control plane there can be: Machines, and no more known of them than the management API says. */
export const PlainControlPlane = kind({
  ...common,
  group: Group.controlPlane,
  kind: "PlainControlPlane",
  plural: "plaincontrolplanes",
  description: "A control plane of Machines in a failure domain each.",
  scale: controlPlaneScale,
  columns: [
    { name: "Desired", path: ".spec.replicas", type: "integer" },
    { name: "Current", path: ".status.replicas", type: "integer" },
    { name: "Up-to-date", path: ".status.upToDateReplicas", type: "integer" },
    { name: "Version", path: ".spec.version" },
  ],
  spec: object({
    replicas: optional(int32({ description: "Machines wanted.", minimum: 0 })),
    version: optional(text("Kubernetes version wanted.")),
    machineTemplate: object(
      {
        metadata: optional(
          object(
            {
              labels: optional(texts("Labels of the Machines.")),
              annotations: optional(texts("Annotations of the Machines.")),
            },
            { description: "Labels and annotations of the Machines." },
          ),
        ),
        spec: object(
          {
            infrastructureRef: object(
              {
                apiGroup: text("Group of the template."),
                kind: text("Kind of the template."),
                name: text("Name of the template."),
              },
              { description: "Template of the infrastructure machines." },
            ),
            deletion: optional(
              object(
                {
                  nodeDrainTimeoutSeconds: optional(
                    int32({ description: "How long draining may take; unlimited when 0 or unset.", minimum: 0 }),
                  ),
                },
                { description: "How Machines are taken down." },
              ),
            ),
          },
          { description: "What the Machines are like." },
        ),
      },
      { description: "What the Machines are made from." },
    ),
    rollout: optional(
      object(
        {
          maxSurge: optional(int32({ description: "Machines above the number wanted while some are replaced." })),
          after: optional(time({ description: "Machines made before this time are replaced." })),
        },
        { description: "How Machines are replaced." },
      ),
    ),
    remediation: optional(
      object(
        {
          maxRetry: optional(int32({ description: "Tries to replace a Machine that is unhealthy again.", minimum: 0 })),
          retryPeriodSeconds: optional(int32({ description: "Seconds between two tries.", minimum: 0 })),
        },
        { description: "How unhealthy Machines are replaced." },
      ),
    ),
  }),
  status: controlPlaneStatus({}),
});
export type PlainControlPlane = typeof PlainControlPlane.Type;
