import { Label } from "@capstan/contract";
import type { PlanItemV1 } from "@capstan/contract/v1";
import {
  machine as machineFields,
  MachineDeploymentResource,
  machinePool as poolFields,
  MachinePoolResource,
  MachineResource,
  MachineSetResource,
  readReference,
  valueAt,
} from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import type { Found, World } from "./world.ts";

/** An owner that states its config and version itself; the rest is derived from these. */
interface Asking {
  readonly kind: Pick<Resource, "group" | "kind">;
  readonly reference: string;
  readonly version: string;
  readonly isMade: (object: KubeObject) => boolean;
}

const byTemplate = {
  reference: `spec.template.${machineFields.bootstrapConfigRefPath}`,
  version: poolFields.version.path,
};

const asking: readonly Asking[] = [
  {
    kind: MachineResource,
    reference: machineFields.bootstrapConfigRefPath,
    version: machineFields.version.path,
    isMade: ({ metadata }) => metadata.ownerReferences?.some(({ controller }) => controller === true) === true,
  },
  {
    kind: MachineSetResource,
    ...byTemplate,
    isMade: ({ metadata }) => metadata.labels?.[Label.deploymentName] !== undefined,
  },
  { kind: MachineDeploymentResource, ...byTemplate, isMade: () => false },
  { kind: MachinePoolResource, ...byTemplate, isMade: () => false },
];

/** The config that a template stands for; a config itself stands for itself. */
const configOf = (object: KubeObject): KubeObject =>
  object.kind.endsWith("Template")
    ? {
        ...object,
        kind: object.kind.replace(/Template$/, ""),
        spec: valueAt(object, "spec.template.spec"),
      }
    : object;

const itemOf = async (
  { before, after }: Found & { readonly after: KubeObject },
  { reference: path, version: versionField }: Asking,
  world: World,
): Promise<PlanItemV1 | undefined> => {
  const reference = readReference(after, path);
  if (reference === undefined) return undefined;
  const config = (await world.find(reference, after.metadata.namespace ?? "")).after;
  if (config === undefined) return undefined;
  const version = valueAt(after, versionField) as string | undefined;
  return {
    before: before === undefined ? undefined : configOf(config),
    after: configOf(config),
    replaced: before !== undefined && valueAt(before, versionField) !== version,
    count: 1,
    infraCluster: undefined,
    askedBy: { object: after, version, versionField },
  };
};

/** The bootstrap configs of every machine that there will be, one for each that asks for machines. */
export const planBootstrapConfigs = async (world: World): Promise<readonly PlanItemV1[]> => {
  const items: PlanItemV1[] = [];
  for (const each of asking) {
    for (const pair of await world.list(each.kind)) {
      if (isBeingDeleted(pair.after) || each.isMade(pair.after)) continue;
      const item = await itemOf(pair, each, world);
      if (item !== undefined) items.push(item);
    }
  }
  return items;
};
