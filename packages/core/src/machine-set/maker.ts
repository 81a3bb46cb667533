import { FieldManager, Label } from "@capstan/contract";
import type { Making, MachineMaker } from "@capstan/kit/machines";
import { nameAsLabel } from "@capstan/kube-values";
import { MachineSet } from "../api.ts";
import type { MachineSetScope } from "./scope.ts";

/** A set, as the maker of its Machines. */
const makerOf = (set: MachineSet): MachineMaker => {
  const { metadata, spec } = set.spec.template;
  const deployment = set.metadata.labels?.[Label.deploymentName];
  return {
    kind: MachineSet,
    object: set,
    clusterName: set.spec.clusterName,
    labels: {
      ...metadata?.labels,
      [Label.setName]: nameAsLabel(set.metadata.name ?? ""),
      [Label.clusterName]: set.spec.clusterName,
      ...(deployment === undefined ? {} : { [Label.deploymentName]: deployment }),
    },
    annotations: metadata?.annotations ?? {},
    settings: spec,
    dataSecretName: spec.bootstrap.dataSecretName,
    mark: Label.setName,
    fieldManager: FieldManager.machineSet,
  };
};

/** One reconcile of a set, as the making of Machines. */
export const makingOf = ({ context, externals, set }: MachineSetScope): Making => ({
  context,
  externals,
  maker: makerOf(set),
});
