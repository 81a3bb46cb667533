import type { MachineVerbContext } from "@capstan/kit/machine";
import { claimed, labelMark, ownedAnywhere, ownedSecrets } from "@capstan/kit/engine";
import type { Use } from "@capstan/kit/engine";
import type { ObjectKey } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import {
  BmcJob,
  Hardware,
  hardwareNamespaceLabel,
  hardwareOwnerLabels,
  Template,
  Workflow,
} from "@capstan/tinkerbell/api";
import type { TinkerbellCluster } from "../api/tinkerbell-cluster.v1beta1.ts";
import {
  machineFinalizer,
  madeForLabels,
  oldMachineFinalizers,
  TinkerbellAnnotation,
} from "../api/tinkerbell-marks.ts";
import type { TinkerbellMachine } from "../api/tinkerbell-machine.v1beta1.ts";
import type { MetalProviderOptions } from "../../options.ts";
import { boardManagement } from "./board-management.ts";
import { sameMachine } from "./same-machine-use.ts";

/** Looks at objects that are no one's in particular, as the cache has them; what is watched of them the other uses say. */
const catalogue: Use<{
  readonly template: (key: Required<ObjectKey>) => Template | undefined;
}> = {
  permissions: [],
  attach: () => ({
    sources: [],
    open: ({ environment: { cache } }) => ({
      template: (key) => cache.get(Template, key),
    }),
  }),
};

const providerIDForm = /^tinkerbell:\/\/([^/]+)\/([^/]+)$/;

/** The Hardware that a machine's provider id names. */
const recordedHardware = (machine: KubeObject): Required<ObjectKey> | undefined => {
  const [, namespace, name] = providerIDForm.exec((machine as TinkerbellMachine).spec?.providerID ?? "") ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
};

/**
 * Where there may be something that was made for a machine: beside it and beside its Hardware, also when that is gone, and, of Jobs, where
 * nothing is ever deleted.
 */
export const workPlaces = ({ object, uses }: Pick<MachineContext, "object" | "uses">): readonly string[] =>
  [
    object.metadata.namespace,
    uses.hardware.mine()?.metadata.namespace,
    recordedHardware(object)?.namespace,
    object.status?.targetNamespace,
  ].filter((each) => each !== undefined);

/** The namespaces that an annotation of Hardware names. */
const offeredTo = ({ metadata }: Hardware): readonly string[] | undefined =>
  metadata.annotations?.[TinkerbellAnnotation.offeredTo]?.split(",").map((name) => name.trim());

/** Returns the related objects of a TinkerbellMachine: Hardware of its namespace or offered to it, and objects created next to that. */
export const machineUses = ({ sharedNamespaces = [] }: Pick<MetalProviderOptions, "sharedNamespaces">) => ({
  hardware: claimed(Hardware, {
    sharing: {
      label: hardwareNamespaceLabel,
      values: ["shared"],
      names: sharedNamespaces,
      offeredTo,
      recorded: recordedHardware,
    },
    mark: labelMark(hardwareOwnerLabels, { finalizer: machineFinalizer, oldFinalizers: oldMachineFinalizers }),
  }),
  templates: ownedAnywhere(Template, madeForLabels, { ownNames: true }),
  workflows: ownedAnywhere(Workflow, madeForLabels, { ownNames: true }),
  /** Bootstrap data, as its machine gets it. */
  userData: ownedSecrets(),
  jobs: ownedAnywhere(BmcJob, madeForLabels, { ownNames: true }),
  catalogue,
  boardManagement,
  sameMachine,
});

/** The uses of TinkerbellMachines. */
export type MachineUses = ReturnType<typeof machineUses>;

/** Logs what was done; conditions tell users of it. */
export const note = ({ log }: Pick<MachineContext, "log">, reason: string, message: string): void =>
  log.debug(message, { reason });

/** Context that verbs of a TinkerbellMachine receive. */
export type MachineContext = MachineVerbContext<TinkerbellMachine, undefined, TinkerbellCluster, MachineUses>;
