import { LinodeReason } from "../api/linode-conditions.ts";
import { CapstanError } from "@capstan/contract";
import type { MachineFacts, MachineObservation, MachineVerbContext } from "@capstan/kit/machine";
import { pending } from "@capstan/kit/machine";
import type { Disk, Instance, InstanceConfig } from "@capstan/linode-client";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import type { LinodeApi } from "../cloud/linode-api.ts";
import { configurationChange } from "./configuration.ts";
import { existingDisks, wantedDisks } from "./disks.ts";
import { doneUpTo } from "./preflight.ts";
import type { DataSlot, WantedDisk } from "./disks.ts";

const diskPollMs = 3000;

type Context = MachineVerbContext<LinodeMachine, LinodeApi>;
type StepContext = Context & { readonly handle: string };

interface DiskState {
  readonly wanted: readonly WantedDisk[];
  readonly existing: ReadonlyMap<DataSlot, Disk>;
}

const readDisks = async ({ object, api, call }: Context, id: number): Promise<DiskState> => {
  const wanted = wantedDisks(object.spec);
  return { wanted, existing: existingDisks(wanted, wanted.length === 0 ? [] : await api.disks(id, call)) };
};

/**
 * Returns the observation of an instance that was never booted, with the next step: data disks one by one, then its
 * configuration, then the boot.
 */
export const preparation = async (
  context: Context,
  { id }: Instance,
  known: MachineFacts,
): Promise<MachineObservation> => {
  const { object, api, call } = context;
  const { wanted, existing } = await readDisks(context, id);
  const facts = { ...known, ...diskIds(existing), conditions: doneUpTo("created") };
  if ([...existing.values()].some(({ status }) => status !== "ready")) {
    return pending({
      ...facts,
      reason: LinodeReason.diskNotReady,
      message: "a data disk is being created",
      pollMs: diskPollMs,
    });
  }
  if (existing.size < wanted.length) {
    return pending({ ...facts, reason: LinodeReason.creatingDisks, step: "createDisk" });
  }
  const config = await api.config(id, call);
  const withDisks = { ...facts, conditions: doneUpTo("disks") };
  if (config === undefined) {
    return pending({
      ...withDisks,
      reason: LinodeReason.configurationMissing,
      message: "waiting for the configuration profile",
      pollMs: diskPollMs,
    });
  }
  if ((await wrongLabel(context, id, config)) !== undefined) {
    return pending({ ...withDisks, reason: LinodeReason.preparing, step: "labelDisk" });
  }
  if (configurationChange(object.spec, config, existing) !== undefined) {
    return pending({ ...withDisks, reason: LinodeReason.preparing, step: "configure" });
  }
  return pending({ ...facts, conditions: doneUpTo("configured"), reason: LinodeReason.preparing, step: "boot" });
};

/** The boot disk, where it is not called as the spec says. */
const wrongLabel = async (
  { api, call, object }: Context,
  id: number,
  config: InstanceConfig,
): Promise<{ readonly diskId: number; readonly label: string } | undefined> => {
  const label = object.spec.osDisk?.label ?? "";
  const diskId = config.devices.sda?.disk_id;
  if (label === "" || typeof diskId !== "number") return undefined;
  const disk = (await api.disks(id, call)).find((each) => each.id === diskId);
  return disk === undefined || disk.label === label ? undefined : { diskId, label };
};

/**
 * Returns the step that corrects a running instance's difference from its spec; `undefined` if none. A kernel takes
 * effect with the next boot.
 */
export const driftStep = async (context: Context, id: number): Promise<"configure" | "labelDisk" | undefined> => {
  const { api, call, object } = context;
  const { configuration, networkHelper, osDisk } = object.spec;
  if (configuration?.kernel === undefined && networkHelper === undefined && osDisk?.label === undefined) {
    return undefined;
  }
  const config = await api.config(id, call);
  if (config === undefined) return undefined;
  if ((await wrongLabel(context, id, config)) !== undefined) return "labelDisk";
  return configurationChange(object.spec, config, new Map()) === undefined ? undefined : "configure";
};

export const labelDiskStep = async (context: StepContext): Promise<void> => {
  const { api, call, handle } = context;
  const id = Number(handle);
  const config = await api.config(id, call);
  const wrong = config && (await wrongLabel(context, id, config));
  if (wrong !== undefined) await api.labelDisk(id, wrong.diskId, wrong.label, call);
};

const diskIds = (existing: DiskState["existing"]): Pick<MachineFacts, "spec"> =>
  existing.size === 0
    ? {}
    : { spec: { dataDisks: Object.fromEntries([...existing].map(([slot, { id }]) => [slot, { diskID: id }])) } };

/** Makes the first data disk that is missing: the API makes one at a time. */
export const createDiskStep = async (context: StepContext): Promise<void> => {
  const { api, handle, call } = context;
  const { wanted, existing } = await readDisks(context, Number(handle));
  const missing = wanted.find(({ slot }) => !existing.has(slot));
  if (missing === undefined) return;
  if (missing.knownId !== undefined) {
    throw new CapstanError({
      code: "linode.disk_missing",
      reason: "DiskMissing",
      message: `disk ${missing.knownId} of spec.dataDisks.${missing.slot} no longer exists; delete the Machine to have it replaced`,
      retry: { kind: "never" },
    });
  }
  const { label, size, filesystem } = missing;
  await api.createDisk(Number(handle), { label, size, filesystem }, call);
};

export const configureStep = async (context: StepContext): Promise<void> => {
  const { object, api, handle, call } = context;
  const { existing } = await readDisks(context, Number(handle));
  const config = await api.config(Number(handle), call);
  const change = config === undefined ? undefined : configurationChange(object.spec, config, existing);
  if (config !== undefined && change !== undefined) await api.updateConfig(Number(handle), config.id, change, call);
};
