import { Annotation } from "@capstan/contract";
import type { KindWebhooksV1 } from "@capstan/contract/v1";
import { invalid } from "@capstan/kit/admission";
import { sameJson } from "@capstan/schema";
import { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { AzureClusterIdentity } from "../api/azure-cluster-identity.v1beta1.ts";
import { AzureClusterTemplate } from "../api/azure-cluster-template.v1beta1.ts";
import { AzureMachine } from "../api/azure-machine.v1beta1.ts";
import { AzureMachineTemplate } from "../api/azure-machine-template.v1beta1.ts";
import { defaultedCluster } from "../cluster/cluster-defaults.ts";
import { defaultedMachine } from "../machine/machine-defaults.ts";
import { clusterCauses } from "./cluster-causes.ts";
import { clusterChanges } from "./cluster-changes.ts";
import { identityCauses } from "./identity-causes.ts";
import { machineCauses, machineChanges } from "./machine-causes.ts";

const cluster: KindWebhooksV1<AzureCluster> = {
  kind: AzureCluster,
  default: (object) => {
    if (object.spec === undefined) return { object };
    const spec = defaultedCluster(object.metadata.name ?? "", object.spec);
    return { object: sameJson(spec, object.spec) ? object : { ...object, spec } };
  },
  validate: ({ metadata, spec }, { old }) => {
    if (spec === undefined) return [];
    const name = metadata.name ?? "";
    const after = defaultedCluster(name, spec);
    const changes = old?.spec === undefined ? [] : clusterChanges(defaultedCluster(name, old.spec), after);
    return [...clusterCauses(name, after), ...changes];
  },
};

/** Whether defaults can be worked out: what lacks required fields is refused by the schema. */
const isWhole = (spec: AzureMachine["spec"]): spec is NonNullable<AzureMachine["spec"]> =>
  (spec as { readonly osDisk?: unknown } | undefined)?.osDisk !== undefined;

const machine: KindWebhooksV1<AzureMachine> = {
  kind: AzureMachine,
  default: (object) => {
    if (!isWhole(object.spec)) return { object };
    const spec = defaultedMachine(object.spec);
    return { object: sameJson(spec, object.spec) ? object : { ...object, spec } };
  },
  validate: ({ spec }, { old }) => {
    if (!isWhole(spec)) return [];
    const after = defaultedMachine(spec);
    return [...machineCauses(after), ...(isWhole(old?.spec) ? machineChanges(defaultedMachine(old.spec), after) : [])];
  },
};

const templateField = "spec.template.spec";

/** Templates do not change: what is made from them would not tell which it was made from. */
const changed = (before: unknown, after: unknown) =>
  sameJson(before, after)
    ? []
    : [invalid(templateField, "(changed)", "the field cannot be changed; make another template")];

const isDryRun = (annotations: Readonly<Record<string, string>> | undefined): boolean =>
  annotations?.[Annotation.topologyDryRun] !== undefined;

const machineTemplate: KindWebhooksV1<AzureMachineTemplate> = {
  kind: AzureMachineTemplate,
  validate: ({ metadata, spec }, { old }) => {
    const template = spec?.template.spec;
    if (!isWhole(template)) return [];
    const before = old?.spec?.template.spec;
    const kept =
      !isWhole(before) || isDryRun(metadata.annotations)
        ? []
        : changed(defaultedMachine(before), defaultedMachine(template));
    return [...machineCauses(defaultedMachine(template), { path: templateField, isTemplate: true }), ...kept];
  },
};

const clusterTemplate: KindWebhooksV1<AzureClusterTemplate> = {
  kind: AzureClusterTemplate,
  validate: ({ metadata, spec }, { old }) => {
    const before = old?.spec?.template.spec;
    return before === undefined || isDryRun(metadata.annotations) ? [] : changed(before, spec?.template.spec);
  },
};

const identity: KindWebhooksV1<AzureClusterIdentity> = {
  kind: AzureClusterIdentity,
  validate: (object, { old }) => identityCauses(object, old),
};

/** Defaults and checks of the kinds. */
export const azureWebhooks = [
  cluster,
  clusterTemplate,
  identity,
  machine,
  machineTemplate,
] as unknown as readonly KindWebhooksV1[];
