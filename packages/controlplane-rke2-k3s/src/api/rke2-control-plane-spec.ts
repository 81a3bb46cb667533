import { rke2ConfigFields, rke2ServerConfig, templateMetadata } from "@capstan/bootstrap-rke2-k3s/spec";
import {
  duration,
  enumOf,
  int32,
  intOrString,
  object,
  objectReference,
  optional,
  string,
  textField,
} from "@capstan/schema";

const optionalDuration = (description: string) => optional(duration({ description }));

/** Settings of remediation. */
export const remediationStrategy = () =>
  optional(
    object(
      {
        maxRetry: optional(int32({ description: "Number of retries; unlimited when unset." })),
        retryPeriod: optionalDuration("Time between two tries."),
        minHealthyPeriod: optionalDuration(
          "Retries are counted from zero after this time without failure; 1h when unset.",
        ),
      },
      { description: "How unhealthy Machines are replaced." },
    ),
  );

/** Time limits of removing a Machine, as durations. */
export const removalDurations = {
  nodeDrainTimeout: optionalDuration("How long draining may take."),
  nodeVolumeDetachTimeout: optionalDuration("How long volumes may take to be detached."),
  nodeDeletionTimeout: optionalDuration("How long deleting the Node is tried."),
};

const rolloutStrategy = object(
  {
    type: textField("RollingUpdate."),
    rollingUpdate: optional(
      object(
        { maxSurge: optional(intOrString({ description: "Machines above the number of replicas: 0 or 1." })) },
        { description: "Settings of RollingUpdate." },
      ),
    ),
  },
  { description: "How Machines are replaced." },
);

const seconds = (description: string) => optional(int32({ description, minimum: 0 }));

const dnsName = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";

const infrastructureRef = object(
  {
    apiGroup: string({ description: "Group of the template.", minLength: 1, maxLength: 253, pattern: `^${dnsName}$` }),
    kind: string({
      description: "Kind of the template.",
      minLength: 1,
      maxLength: 63,
      pattern: "^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$",
    }),
    name: string({ description: "Name of the template.", minLength: 1, maxLength: 253, pattern: `^${dnsName}$` }),
  },
  { description: "Template of the infrastructure machines." },
);

/** `machineTemplate` of v1beta2. */
export const machineTemplate = () =>
  optional(
    object(
      {
        metadata: optional(templateMetadata({ minProperties: 1 })),
        spec: object(
          {
            infrastructureRef,
            deletion: optional(
              object(
                {
                  nodeDrainTimeoutSeconds: seconds("How long draining may take."),
                  nodeVolumeDetachTimeoutSeconds: seconds("How long volumes may take to be detached."),
                  nodeDeletionTimeoutSeconds: seconds("How long deleting the Node is tried."),
                },
                { description: "Time limits of removing a Machine.", minProperties: 1 },
              ),
            ),
          },
          { description: "The spec of each." },
        ),
      },
      { description: "What the Machines are made from." },
    ),
  );

/** `machineTemplate` of v1beta1. */
export const olderMachineTemplate = () =>
  optional(
    object(
      {
        metadata: optional(templateMetadata()),
        infrastructureRef: objectReference({ description: "Template of the infrastructure machines." }),
        ...removalDurations,
      },
      { description: "What the Machines are made from." },
    ),
  );

/** Fields of an RKE2ControlPlane that all versions have. */
export const rke2ControlPlaneFields = () => ({
  ...rke2ConfigFields(),
  manifestsConfigMapReference: optional(
    objectReference({ description: "ConfigMap whose keys become manifests that RKE2 applies." }),
  ),
  registrationAddress: textField("Where machines register, for the method address."),
  registrationMethod: optional(
    enumOf(["internal-first", "internal-only-ips", "external-only-ips", "address", "control-plane-endpoint", ""], {
      description: "Where machines register; the Cluster's endpoint when unset.",
    }),
  ),
  remediationStrategy: remediationStrategy(),
  rolloutStrategy,
  serverConfig: optional(rke2ServerConfig()),
});

export const versionPattern = { pattern: "(v\\d\\.\\d{2}\\.\\d+\\+rke2r\\d)|^$" };
export const replicas = optional(int32({ description: "Number of servers; 1 when unset." }));
