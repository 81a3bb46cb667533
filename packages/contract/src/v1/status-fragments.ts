import {
  boolean,
  conditions,
  enumOf,
  int32,
  int64,
  legacyConditions,
  list,
  map,
  object,
  optional,
  string,
  time,
} from "@capstan/schema";
import type { Fields } from "@capstan/schema";

const conditionsWith = <const F extends Fields>(older: F) => ({
  conditions: optional(conditions({ maxItems: 32 })),
  deprecated: optional(
    object(
      {
        v1beta1: optional(
          object(
            { conditions: optional(legacyConditions()), ...older },
            { description: "Fields of the v1beta1 contract." },
          ),
        ),
      },
      { description: "Fields kept for readers of older contracts." },
    ),
  ),
});

const conditionFields = conditionsWith({});

const provisioned = (what: string, since = "Never unset once true.") => ({
  ready: optional(boolean({ description: `${what} (contract v1beta1). ${since}` })),
  initialization: optional(
    object(
      { provisioned: optional(boolean({ description: `${what} (contract v1beta2). Never unset once true.` })) },
      { description: "What has been reached once." },
    ),
  ),
});

const machineFields = {
  ...conditionFields,
  ...provisioned("The server exists and has a provider id", "False again while it is of no use."),
  addresses: optional(
    list(
      object(
        {
          type: enumOf(["Hostname", "ExternalIP", "InternalIP", "ExternalDNS", "InternalDNS"], {
            description: "What kind of address it is.",
          }),
          address: string({ description: "The address.", minLength: 1, maxLength: 256 }),
        },
        { description: "One address of the server." },
      ),
      { description: "Addresses of the server.", type: "atomic", maxItems: 256 },
    ),
  ),
  failureDomain: optional(
    string({ description: "The failure domain the server is in.", minLength: 1, maxLength: 256 }),
  ),
  interruptible: optional(boolean({ description: "The server may be taken away at any time." })),
};

const machinePoolFields = {
  ...conditionFields,
  ...provisioned("The group of machines exists"),
  replicas: optional(int32({ description: "Machines that exist.", minimum: 0 })),
  infrastructureMachineKind: optional(
    string({ description: "Kind of the objects that stand for the machines.", minLength: 1, maxLength: 63 }),
  ),
};

const clusterFields = {
  ...conditionFields,
  ...provisioned("The infrastructure is there, and its endpoint is known"),
  failureDomains: optional(
    list(
      object(
        {
          name: string({ description: "Name of the failure domain.", minLength: 1, maxLength: 256 }),
          controlPlane: optional(boolean({ description: "Suited to control-plane machines. Absent means no." })),
          attributes: optional(
            map(string({ description: "One value." }), { description: "Free attributes.", maxProperties: 64 }),
          ),
        },
        { description: "One failure domain." },
      ),
      { description: "Failure domains that machines can be placed in.", keys: ["name"], maxItems: 100 },
    ),
  ),
};

const bootstrapFields = {
  ...conditionFields,
  ready: optional(boolean({ description: "The bootstrap data is there (contract v1beta1)." })),
  initialization: optional(
    object(
      { dataSecretCreated: optional(boolean({ description: "The bootstrap data is there (contract v1beta2)." })) },
      { description: "What has been reached once." },
    ),
  ),
  dataSecretName: optional(string({ description: "Name of the Secret with the bootstrap data.", maxLength: 253 })),
};

const replicas = (what: string) => optional(int32({ description: `Control-plane Machines that ${what}.`, minimum: 0 }));

const version = (description: string) => string({ description, minLength: 1, maxLength: 256 });

const controlPlaneFields = {
  ...conditionsWith({
    readyReplicas: replicas("have a Node that is Ready"),
    updatedReplicas: replicas("are up to date"),
    unavailableReplicas: replicas("are missing or have no Node that is Ready"),
  }),
  initialization: optional(
    object(
      {
        controlPlaneInitialized: optional(
          boolean({ description: "The API server of the workload cluster answered. Never unset once true." }),
        ),
      },
      { description: "What has been reached once." },
    ),
  ),
  selector: optional(string({ description: "Label selector of the Machines, as text.", maxLength: 4096 })),
  replicas: replicas("exist"),
  readyReplicas: replicas("are Ready"),
  availableReplicas: replicas("are Available"),
  upToDateReplicas: replicas("are as the object wants them"),
  version: optional(version("The lowest Kubernetes version of a Machine.")),
  versions: optional(
    list(
      object(
        {
          version: version("A Kubernetes version."),
          replicas: optional(int32({ description: "Machines that run it.", minimum: 1 })),
        },
        { description: "One version and how many Machines run it." },
      ),
      { description: "Kubernetes versions in use, from old to new.", keys: ["version"], maxItems: 100 },
    ),
  ),
  lastRemediation: optional(
    object(
      {
        machine: string({ description: "Name of the Machine.", minLength: 1, maxLength: 253 }),
        time: time({ description: "When it was replaced." }),
        retryCount: int32({ description: "How often that was tried before without success.", minimum: 0 }),
      },
      { description: "The last Machine that was replaced because it was unhealthy." },
    ),
  ),
  observedGeneration: optional(int64({ description: "Generation that the status describes.", minimum: 1 })),
};

/** The status of an infrastructure machine kind: what the machine shell writes, and the provider's own fields. */
export const infraMachineStatus = <const F extends Fields>(fields: F) => object({ ...machineFields, ...fields });

/** The status of an infrastructure machine pool kind: what the machine pool role writes, and the provider's own fields. */
export const infraMachinePoolStatus = <const F extends Fields>(fields: F) =>
  object({ ...machinePoolFields, ...fields });

/** `spec.providerIDList` of an infrastructure machine pool kind; written by the role. */
export const providerIDList = () =>
  list(string({ description: "One provider id.", minLength: 1, maxLength: 512 }), {
    description: "Provider ids of the machines, equal to those of their Nodes; set by the controller.",
    maxItems: 10_000,
    type: "atomic",
  });

/** The status of an infrastructure cluster kind: what the cluster shell writes, and the provider's own fields. */
export const infraClusterStatus = <const F extends Fields>(fields: F) => object({ ...clusterFields, ...fields });

/** The status of a bootstrap config kind: what the bootstrap shell writes, and the provider's own fields. */
export const bootstrapConfigStatus = <const F extends Fields>(fields: F) => object({ ...bootstrapFields, ...fields });

/** The status of a control plane kind: what the control-plane role writes, and the provider's own fields. */
export const controlPlaneStatus = <const F extends Fields>(fields: F) => object({ ...controlPlaneFields, ...fields });

/** Paths of the scale subresource of a control plane kind. */
export const controlPlaneScale = {
  specReplicas: ".spec.replicas",
  statusReplicas: ".status.replicas",
  labelSelector: ".status.selector",
} as const;

/** `spec.controlPlaneEndpoint` of an infrastructure cluster kind; set by a user or by the shell. */
export const controlPlaneEndpoint = () =>
  object(
    {
      host: optional(string({ description: "Host name or address.", maxLength: 512 })),
      port: optional(int32({ description: "Port.", minimum: 0, maximum: 65_535 })),
    },
    { description: "Where the API server of the workload cluster answers." },
  );
