import { boolean, defaulted, enumOf, int32, integer, intOrString, kind, list, object, optional } from "@capstan/schema";
import {
  additionalCapabilities,
  diagnostics,
  identityFields,
  networkInterfaces,
  securityProfile,
  spotVMOptions,
  vmExtensions,
} from "./azure-machine-spec.ts";
import { dataDisks, osDisk } from "./machine-disks.ts";
import { image } from "./machine-image.ts";
import { ageColumn, azureKind, clusterColumn } from "./names.ts";
import { tags, word, words } from "./network-parts.ts";
import { commonStatus } from "./status-parts.ts";

const rollingUpdate = () =>
  object(
    {
      maxUnavailable: defaulted(intOrString({ description: "How many may be missing meanwhile." }), 0),
      maxSurge: defaulted(intOrString({ description: "How many more there may be meanwhile." }), 1),
      deletePolicy: defaulted(enumOf(["Random", "Newest", "Oldest"], { description: "Which go first." }), "Oldest"),
    },
    { description: "Within which bounds." },
  );

const strategy = () =>
  object(
    {
      type: defaulted(
        enumOf(["RollingUpdate"], { description: "How machines of an old template are replaced." }),
        "RollingUpdate",
      ),
      rollingUpdate: optional(rollingUpdate()),
    },
    { description: "How machines are replaced." },
  );

const template = () =>
  object(
    {
      vmSize: word("Size, for example Standard_D2s_v3."),
      image: optional(image()),
      osDisk: osDisk(),
      dataDisks: optional(dataDisks()),
      sshPublicKey: optional(word("Line of authorized_keys in base64; a key that nobody has when unset.")),
      acceleratedNetworking: optional(boolean({ description: "Use networkInterfaces instead." })),
      additionalCapabilities: optional(additionalCapabilities()),
      diagnostics: optional(diagnostics()),
      terminateNotificationTimeout: optional(
        integer({ description: "Minutes, 5 to 15, between the notice of a machine's deletion and the deletion." }),
      ),
      securityProfile: optional(securityProfile()),
      spotVMOptions: optional(spotVMOptions()),
      subnetName: optional(word("Use networkInterfaces instead.")),
      vmExtensions: optional(vmExtensions()),
      disableVMBootstrapExtension: optional(
        boolean({ description: "False: an extension reports whether bootstrapping succeeded." }),
      ),
      networkInterfaces: optional(networkInterfaces()),
    },
    { description: "What the machines are made from." },
  );

const instance = () =>
  object(
    {
      instanceID: optional(word("Its number in the scale set.")),
      instanceName: optional(word("Its name at Azure.")),
      latestModelApplied: boolean({ description: "It is of the present template." }),
      providerID: optional(word("azure:// and the resource ID.")),
      provisioningState: optional(word("What Azure says of it.")),
      version: optional(word("Kubernetes version that it was made for.")),
    },
    { description: "One machine." },
  );

export const AzureMachinePool = kind({
  ...azureKind,
  kind: "AzureMachinePool",
  plural: "azuremachinepools",
  shortNames: ["amp"],
  description: "A scale set of virtual machines at Azure that backs one MachinePool.",
  columns: [
    { name: "Replicas", path: ".status.replicas" },
    { name: "Ready", path: ".status.ready" },
    { name: "State", path: ".status.provisioningState" },
    { ...clusterColumn, priority: 1 },
    { name: "MachinePool", path: '.metadata.ownerReferences[?(@.kind=="MachinePool")].name', priority: 1 },
    { name: "VMSS ID", path: ".spec.providerID", priority: 1 },
    { name: "VM Size", path: ".spec.template.vmSize", priority: 1 },
    ageColumn,
  ],
  spec: optional(
    object({
      location: word("Where it is; that of the AzureCluster."),
      template: template(),
      additionalTags: optional(tags("Tags of the scale set; they win over those of the cluster.")),
      providerID: optional(word("azure:// and the resource ID; set by the controller.")),
      providerIDList: optional(words("Provider ids of the machines; set by the controller.")),
      ...identityFields(),
      strategy: defaulted(strategy(), {
        type: "RollingUpdate",
        rollingUpdate: { maxUnavailable: 0, maxSurge: 1, deletePolicy: "Oldest" },
      }),
      orchestrationMode: defaulted(
        enumOf(["Flexible", "Uniform"], { description: "Whether its machines are virtual machines of their own." }),
        "Uniform",
      ),
      platformFaultDomainCount: optional(int32({ description: "Fault domains that machines are spread over." })),
      zoneBalance: optional(boolean({ description: "Zones have to have equally many machines." })),
    }),
  ),
  status: object({
    ...commonStatus(),
    replicas: optional(int32({ description: "Machines that exist." })),
    infrastructureMachineKind: optional(word("Kind of the objects that stand for the machines.")),
    instances: optional(list(instance(), { description: "The machines." })),
    image: optional(image()),
    version: optional(word("Kubernetes version of the present template.")),
    provisioningState: optional(word("What Azure says of the scale set.")),
    lastReconciledReplicas: optional(int32({ description: "Written by upstream's controller; not used." })),
    failureReason: optional(word("Terminal failure in one word, for programs.")),
    failureMessage: optional(word("Terminal failure, for people.")),
  }),
});

/** One AzureMachinePool. */
export type AzureMachinePool = typeof AzureMachinePool.Type;
