import type { MachineVerbContext } from "@capstan/kit/machine";
import { claimed, labelMark, ownedAnywhere } from "@capstan/kit/engine";
import type { Use } from "@capstan/kit/engine";
import type { ObjectKey } from "@capstan/kube-values";
import { BmcJob, Hardware, hardwareOwnerLabels, Template, Workflow } from "@capstan/tinkerbell/api";
import type { TinkerbellCluster } from "../api/tinkerbell-cluster.v1beta1.ts";
import { machineFinalizer, madeForLabels, oldMachineFinalizers } from "../api/tinkerbell-marks.ts";
import type { TinkerbellMachine } from "../api/tinkerbell-machine.v1beta1.ts";
import { boardManagement } from "./board-management.ts";
import { sameMachine } from "./same-machine-use.ts";

/** Looks at objects that are nobody's in particular, as the cache has them; what is watched of them the other uses say. */
const catalogue: Use<{
  readonly template: (key: Required<ObjectKey>) => Template | undefined;
  readonly hardware: () => readonly Hardware[];
}> = {
  permissions: [],
  attach: () => ({
    sources: [],
    open: ({ environment: { cache } }) => ({
      template: (key) => cache.get(Template, key),
      hardware: () => cache.list(Hardware),
    }),
  }),
};

/** What a TinkerbellMachine works with: Hardware of any namespace, and what is made beside it there. */
export const machineUses = {
  hardware: claimed(Hardware, {
    fromAnywhere: true,
    mark: labelMark(hardwareOwnerLabels, { finalizer: machineFinalizer, oldFinalizers: oldMachineFinalizers }),
  }),
  templates: ownedAnywhere(Template, madeForLabels),
  workflows: ownedAnywhere(Workflow, madeForLabels),
  jobs: ownedAnywhere(BmcJob, madeForLabels),
  catalogue,
  boardManagement,
  sameMachine,
};

/** Records what was done. */
export const note = (context: Pick<MachineContext, "event">, reason: string, message: string): void =>
  context.event({ type: "Normal", reason, message });

/** What verbs of a TinkerbellMachine receive. */
export type MachineContext = MachineVerbContext<TinkerbellMachine, undefined, TinkerbellCluster, typeof machineUses>;
