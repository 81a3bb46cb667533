import { CapstanError, isCapstanError, Label } from "@capstan/contract";
import { groupOf, keyOf } from "@capstan/kube-values";
import type { KubeObject, OwnerReference } from "@capstan/schema";
import {
  controllerOf,
  MachinePoolResource,
  MachineResource,
  ownerReference,
  withOwnerReference,
} from "@capstan/contract/wire";
import { cloneTemplate } from "@capstan/kit/machines";
import type { ExternalObject } from "@capstan/kit/machines";
import { CompositeConfig } from "../api/composite-config.ts";
import type { Context } from "./uses.ts";

/** A part's config is the Machine's, or the MachinePool's, as if that named it itself; the CompositeConfig owns it too and is woken by it. */
const owners = ({ machine, object, pool }: Context, present?: readonly OwnerReference[]): readonly OwnerReference[] => {
  const kind = pool === undefined ? MachineResource : MachinePoolResource;
  return withOwnerReference(
    withOwnerReference(present, { ...ownerReference(kind, machine), controller: true }),
    ownerReference(CompositeConfig, object),
  );
};

/** Makes the config of a part from its template. One that is there already, made before a crash, is taken. */
export const madeConfig = async (context: Context, template: ExternalObject, name: string): Promise<ExternalObject> => {
  const { cluster, object, call } = context;
  const body = cloneTemplate({
    template: template.object,
    namespace: object.metadata.namespace ?? "",
    name,
    clusterName: cluster.metadata.name ?? "",
    owner: ownerReference(CompositeConfig, object),
    ...(context.controlPlane ? { labels: { [Label.controlPlane]: "" } } : {}),
  });
  const owned = { ...body, metadata: { ...body.metadata, ownerReferences: owners(context) } };
  const kind = await context.uses.parts.kind({ apiGroup: groupOf(body.apiVersion), kind: body.kind });
  try {
    return { ...kind, object: await context.client.create(kind.resource, owned, call) };
  } catch (error) {
    if (!isCapstanError(error, "kube.already_exists")) throw error;
    const present = await context.client.get(kind.resource, { namespace: object.metadata.namespace ?? "", name }, call);
    if (present.metadata.ownerReferences?.some(({ uid }) => uid === object.metadata.uid) === true) {
      return { ...kind, object: present };
    }
    throw taken(present, object);
  }
};

const taken = (config: KubeObject, object: KubeObject): CapstanError =>
  new CapstanError({
    code: "composite.config_taken",
    reason: "ConfigTaken",
    message: `${config.kind} ${config.metadata.namespace}/${config.metadata.name} belongs to ${controllerOf(config)?.kind ?? "another owner"} ${controllerOf(config)?.name ?? ""}; CompositeConfig ${object.metadata.name} needs its own`,
  });

/** Makes a config that a user wrote the Machine's. Throws `composite.config_taken` when it serves another Machine. */
export const takenConfig = async (context: Context, config: ExternalObject): Promise<ExternalObject> => {
  const { client, call, cluster, machine, object } = context;
  const { metadata } = config.object;
  const controller = controllerOf(config.object);
  if (controller !== undefined && controller.uid !== machine.metadata.uid) throw taken(config.object, object);
  const ownerReferences = owners(context, metadata.ownerReferences);
  const clusterName = cluster.metadata.name ?? "";
  if (ownerReferences === metadata.ownerReferences && metadata.labels?.[Label.clusterName] === clusterName) {
    return config;
  }
  const { resourceVersion } = metadata;
  const body = { metadata: { resourceVersion, ownerReferences, labels: { [Label.clusterName]: clusterName } } };
  return {
    ...config,
    object: await client.patch(config.resource, keyOf(config.object), { type: "merge", body }, call),
  };
};
