import { DnsPattern } from "@capstan/kube-values";
import {
  boolean,
  conditionType,
  enumOf,
  int32,
  int64,
  list,
  map,
  object,
  optional,
  string,
  text,
  time,
} from "@capstan/schema";
import type { Node } from "@capstan/schema";

/** Limits that v1beta2 adds to v1beta1: empty lists and objects are refused instead of meaning nothing. */
export interface Strictness {
  readonly list: { readonly minItems?: number; readonly type?: "atomic" };
  /** For lists that are identified by key. */
  readonly keyed: { readonly minItems?: number };
  readonly object: { readonly minProperties?: number };
}

export const v1beta1: Strictness = { list: {}, keyed: {}, object: {} };
export const v1beta2: Strictness = {
  list: { minItems: 1, type: "atomic" },
  keyed: { minItems: 1 },
  object: { minProperties: 1 },
};

export const clusterName = (): Node<string> => text(63, "Name of the Cluster the object belongs to.");

export const providerID = (): Node<string> =>
  text(512, "Id of the machine at its infrastructure, equal to the Node's; copied from the infrastructure object.");

export const kubernetesVersion = (description: string): Node<string> => text(256, description);

/** Labels and annotations that a template hands to what is made from it. */
export const templateMetadata = (strictness: Strictness, description: string) =>
  object(
    {
      labels: optional(map(string({ description: "Value of the label." }), { description: "Labels to set." })),
      annotations: optional(
        map(string({ description: "Value of the annotation." }), { description: "Annotations to set." }),
      ),
    },
    { description, ...strictness.object },
  );

/** Conditions of others that count for Ready (Machine) or Available (Cluster). */
export const gates = (strictness: Strictness, description: string) =>
  list(
    object(
      {
        conditionType: conditionType({ description: "Type of the condition that counts too.", minLength: 1 }),
        polarity: optional(
          enumOf(["Positive", "Negative"], {
            description: "Negative: True is the bad status. Positive when unset.",
          }),
        ),
      },
      { description: "One condition that counts too." },
    ),
    { description, maxItems: 32, ...strictness.keyed, keys: ["conditionType"] },
  );

/** Taints that the Machine's Node gets. */
export const taints = () =>
  list(
    object(
      {
        key: string({
          description: "Key of the taint.",
          minLength: 1,
          maxLength: 317,
          pattern: DnsPattern.qualifiedName,
        }),
        value: optional(
          string({
            description: "Value of the taint.",
            minLength: 1,
            maxLength: 63,
            pattern: DnsPattern.labelValue,
          }),
        ),
        effect: enumOf(["NoSchedule", "PreferNoSchedule", "NoExecute"], {
          description: "What happens to Pods that do not tolerate the taint.",
        }),
        propagation: enumOf(["Always", "OnInitialization"], {
          description: "Always: kept on the Node. OnInitialization: set once, when the Node is new.",
        }),
      },
      { description: "One taint." },
    ),
    {
      description: "Taints for the Node.",
      minItems: 1,
      maxItems: 64,
      keys: ["key", "effect"],
    },
  );

/** Steps that happened and are never undone. */
export const initialization = (what: string) =>
  object(
    {
      infrastructureProvisioned: optional(
        boolean({ description: `The infrastructure provided ${what}. Never goes back to false.` }),
      ),
      bootstrapDataSecretCreated: optional(
        boolean({ description: "The bootstrap data exists. Never goes back to false." }),
      ),
    },
    { description: "Steps of the making that happened.", ...v1beta2.object },
  );

/** Addresses of a machine. */
export const addresses = (options: { readonly maxItems?: number; readonly type?: "atomic" }) =>
  list(
    object(
      {
        type: enumOf(["Hostname", "ExternalIP", "InternalIP", "ExternalDNS", "InternalDNS"], {
          description: "What kind of address it is.",
        }),
        address: text(256, "The address."),
      },
      { description: "One address." },
    ),
    { description: "Addresses of the machine, copied from the infrastructure object.", ...options },
  );

/** Machine facts reported by the kubelet (core/v1 NodeSystemInfo). */
export const nodeInfo = () =>
  object(
    {
      architecture: string({ description: "Processor architecture." }),
      bootID: string({ description: "Id of the current boot." }),
      containerRuntimeVersion: string({ description: "Container runtime and its version." }),
      kernelVersion: string({ description: "Version of the kernel." }),
      kubeProxyVersion: string({ description: "Version of kube-proxy; no longer filled by Kubernetes." }),
      kubeletVersion: string({ description: "Version of the kubelet." }),
      machineID: string({ description: "Id of the installed operating system." }),
      operatingSystem: string({ description: "Family of the operating system." }),
      osImage: string({ description: "Name of the operating system image." }),
      swap: optional(
        object(
          { capacity: optional(int64({ description: "Bytes of swap." })) },
          { description: "Swap of the machine." },
        ),
      ),
      systemUUID: string({ description: "UUID of the hardware." }),
    },
    { description: "What the Node reports about its system." },
  );

/** When the steps of a Machine's deletion began. */
export const deletionProgress = () =>
  object(
    {
      nodeDrainStartTime: optional(time({ description: "When draining the Node began." })),
      waitForNodeVolumeDetachStartTime: optional(
        time({ description: "When waiting for volumes to be detached began." }),
      ),
      waitForPreDrainHookStartTime: optional(time({ description: "When waiting for pre-drain hooks began." })),
      waitForPreTerminateHookStartTime: optional(time({ description: "When waiting for pre-terminate hooks began." })),
    },
    { description: "Progress of the deletion." },
  );

/** Number of Machines per Kubernetes version. */
export const versionCounts = (options: { readonly maxItems: number; readonly keyed: boolean }) =>
  list(
    object(
      {
        version: kubernetesVersion("A Kubernetes version."),
        replicas: optional(int32({ description: "Machines that run it.", minimum: 1 })),
      },
      { description: "One version and its count." },
    ),
    {
      description: "Kubernetes versions in use.",
      minItems: 1,
      maxItems: options.maxItems,
      ...(options.keyed ? { keys: ["version"] as const } : { type: "atomic" as const }),
    },
  );

/** Seconds of 0 or more. */
export const seconds = (description: string): Node<number> => int32({ description, minimum: 0 });

export const count = (description: string): Node<number> => int32({ description });

/** Desired number of Machines. */
export const desiredCount = (description: string): Node<number> => int32({ description, minimum: 0 });
