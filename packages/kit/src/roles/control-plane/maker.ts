import { Annotation, Label } from "@capstan/contract";
import { nameAsLabel } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { apiVersionOf } from "@capstan/schema";
import type { ExternalObject } from "../../external/external-objects.ts";
import type { Machine } from "../../machines/machine.ts";
import type { MachineMaker } from "../../machines/maker.ts";
import type { MachineParts } from "../../machines/parts.ts";
import { ownedByMachine, partFromTemplate } from "../../machines/parts.ts";
import type { ControlPlaneAuthor, DesiredControlPlane, MemberRole } from "./author.ts";

/** The annotation by which a control plane holds its Machines until they have left the cluster. */
export const hookOf = <O extends KubeObject>({ terminationHook }: Pick<ControlPlaneAuthor<O>, "terminationHook">) =>
  terminationHook === undefined ? undefined : `${Annotation.preTerminateHookPrefix}${terminationHook.name}`;

/** The annotation by which a control plane holds its Machines before they are drained. */
export const drainHookOf = <O extends KubeObject>({ drainHook }: Pick<ControlPlaneAuthor<O>, "drainHook">) =>
  drainHook === undefined ? undefined : `${Annotation.preDrainHookPrefix}${drainHook.name}`;

/** All annotations by which a control plane holds its Machines. */
export const hooksOf = <O extends KubeObject>(
  author: Pick<ControlPlaneAuthor<O>, "drainHook" | "terminationHook">,
): readonly string[] => [drainHookOf(author), hookOf(author)].filter((hook) => hook !== undefined);

/** A control plane, as the maker of its Machines. */
export const makerOf = <O extends KubeObject>(
  author: ControlPlaneAuthor<O>,
  {
    object,
    cluster,
    desired,
  }: { readonly object: O; readonly cluster: KubeObject; readonly desired: DesiredControlPlane },
): MachineMaker => {
  const clusterName = cluster.metadata.name ?? "";
  const hooks = hooksOf(author).filter(
    (hook) => hook !== drainHookOf(author) || author.drainHook?.isWanted(object) === true,
  );
  return {
    kind: author.kind,
    object,
    clusterName,
    labels: {
      ...desired.metadata?.labels,
      [Label.clusterName]: clusterName,
      [Label.controlPlane]: "",
      [Label.controlPlaneName]: nameAsLabel(object.metadata.name ?? ""),
    },
    annotations: desired.metadata?.annotations ?? {},
    machineAnnotations: Object.fromEntries(hooks.map((hook) => [hook, ""])),
    keptAnnotations: [Annotation.remediationFor, ...Object.keys(author.annotations?.(object) ?? {})],
    settings: desired.settings ?? {},
    mark: Label.controlPlaneName,
    fieldManager: author.fieldManager,
  };
};

/** Returns the objects that a new Machine refers to: a bootstrap config for its role, and a clone of the infrastructure template. */
export const partsFor = <O extends KubeObject>(
  { configKind, bootstrapConfig }: ControlPlaneAuthor<O>,
  maker: MachineMaker,
  input: {
    readonly object: O;
    readonly cluster: KubeObject;
    readonly role: MemberRole;
    readonly template: ExternalObject;
  },
): MachineParts => {
  const { template, ...about } = input;
  const type = { apiVersion: apiVersionOf(configKind), kind: configKind.kind };
  const body = (machine: Machine): KubeObject => ({
    ...type,
    metadata: {
      name: machine.metadata.name ?? "",
      namespace: machine.metadata.namespace ?? "",
      labels: maker.labels,
      annotations: maker.annotations,
      ownerReferences: [ownedByMachine(machine)],
    },
    spec: bootstrapConfig({ ...about, machine }),
  });
  return { bootstrap: { type, body }, infrastructure: partFromTemplate(maker, template) };
};
