import type { KindWebhooksV1 } from "@capstan/contract/v1";
import { sameJson } from "@capstan/schema";
import { AzureClusterIdentity } from "../api/azure-cluster-identity.v1beta1.ts";
import { AzureMachine } from "../api/azure-machine.v1beta1.ts";
import { AzureMachinePool } from "../api/azure-machine-pool.v1beta1.ts";
import { AzureMachineTemplate } from "../api/azure-machine-template.v1beta1.ts";
import type { Gates } from "../gates.ts";
import { defaultedMachine } from "../machine/machine-defaults.ts";
import { defaultedSshKey } from "../machine/ssh-key.ts";
import { clusterWebhooks, isDryRun, templateChanged, templateField } from "./cluster-webhooks.ts";
import { identityCauses } from "./identity-causes.ts";
import { defaultedPool } from "../machine-pool/pool-plan.ts";
import { machineCauses, machineChanges } from "./machine-causes.ts";
import { poolCauses, poolChanges } from "./pool-causes.ts";

/** Returns whether defaults can be worked out: what lacks required fields is refused by the schema. */
const isWhole = <S>(spec: S): spec is NonNullable<S> =>
  (spec as { readonly osDisk?: unknown } | undefined)?.osDisk !== undefined;

const machine: KindWebhooksV1<AzureMachine> = {
  kind: AzureMachine,
  default: async (object, { old }) => {
    if (!isWhole(object.spec)) return { object };
    const key = await defaultedSshKey(object.spec, old && { spec: old.spec });
    const spec = { ...defaultedMachine(object.spec), ...key };
    return { object: sameJson(spec, object.spec) ? object : { ...object, spec } };
  },
  validate: ({ spec }, { old }) => {
    if (!isWhole(spec)) return [];
    const after = defaultedMachine(spec);
    return [...machineCauses(after), ...(isWhole(old?.spec) ? machineChanges(defaultedMachine(old.spec), after) : [])];
  },
};

const machineTemplate: KindWebhooksV1<AzureMachineTemplate> = {
  kind: AzureMachineTemplate,
  default: async (object, { old }) => {
    const template = object.spec?.template;
    if (template === undefined || !isWhole(template.spec)) return { object };
    const key = await defaultedSshKey(template.spec, old && { spec: old.spec?.template.spec });
    const spec = { ...defaultedMachine(template.spec), ...key };
    return {
      object: sameJson(spec, template.spec)
        ? object
        : { ...object, spec: { ...object.spec, template: { ...template, spec } } },
    };
  },
  validate: ({ metadata, spec }, { old }) => {
    const template = spec?.template.spec;
    if (!isWhole(template)) return [];
    const before = old?.spec?.template.spec;
    const kept =
      !isWhole(before) || isDryRun(metadata.annotations)
        ? []
        : templateChanged(defaultedMachine(before), defaultedMachine(template));
    return [...machineCauses(defaultedMachine(template), { path: templateField, isTemplate: true }), ...kept];
  },
};

const machinePool: KindWebhooksV1<AzureMachinePool> = {
  kind: AzureMachinePool,
  default: async (object, { old }) => {
    if (object.spec === undefined || !isWhole(object.spec.template)) return { object };
    const key = await defaultedSshKey(object.spec.template, old && { spec: old.spec?.template });
    const pool = defaultedPool(object.spec);
    const spec = { ...pool, template: { ...pool.template, ...key } };
    return { object: sameJson(spec, object.spec) ? object : { ...object, spec } };
  },
  validate: ({ spec }, { old }) => {
    if (spec === undefined || !isWhole(spec.template)) return [];
    const before = old?.spec;
    const kept = before !== undefined && isWhole(before.template) ? poolChanges(before, spec) : [];
    return [...poolCauses(spec), ...kept];
  },
};

const identity: KindWebhooksV1<AzureClusterIdentity> = {
  kind: AzureClusterIdentity,
  validate: (object, { old }) => identityCauses(object, old),
};

/** Defaults and checks of the kinds. */
export const azureWebhooks = (gates: Gates) =>
  [...clusterWebhooks(gates), identity, machine, machinePool, machineTemplate] as unknown as readonly KindWebhooksV1[];
