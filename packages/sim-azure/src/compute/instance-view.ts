import type { Json, StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { bootLogUrls } from "./boot-log.ts";
import { diskStatuses } from "./disks.ts";
import { extensionViews, handlerViews } from "./extension-status.ts";
import { isWindows, type Vm } from "../vm.ts";

const powers = {
  provisioning: ["starting", "VM starting"],
  booting: ["starting", "VM starting"],
  running: ["running", "VM running"],
  stopping: ["stopping", "VM stopping"],
  removing: ["stopping", "VM stopping"],
  off: ["stopped", "VM stopped"],
} as const;

const states: Readonly<Record<string, string>> = {
  Creating: "ProvisioningState/creating",
  Updating: "ProvisioningState/updating",
  Deleting: "ProvisioningState/deleting",
  Succeeded: "ProvisioningState/succeeded",
};

const stateStatus = ({ state }: StoredResource<object>, failure: string | undefined, time: string): Json => ({
  code: states[state] ?? `ProvisioningState/failed${failure === undefined ? "" : `/${failure}`}`,
  level: state === "Failed" ? "Error" : "Info",
  displayStatus: state === "Failed" ? "Provisioning failed" : `Provisioning ${state.toLowerCase()}`,
  time,
});

/** Returns whether the agent inside of a machine says anything. */
export const hasAgent = ({ name, group, machine }: StoredResource<object>, { guestPlans }: World): boolean => {
  const plan = guestPlans.for({ name, group });
  return machine?.power === "running" && plan.boot !== "never" && plan["agent"] !== "missing";
};

const agentOf = (vm: StoredResource<Vm>, world: World, time: string): Json =>
  hasAgent(vm, world)
    ? {
        vmAgentVersion: isWindows(vm.properties) ? "2.7.41491.1172" : "2.13.1.1",
        statuses: [
          {
            code: "ProvisioningState/succeeded",
            level: "Info",
            displayStatus: "Ready",
            message: "Guest Agent is running",
            time,
          },
        ],
        extensionHandlers: handlerViews(vm.id, world),
      }
    : {
        vmAgentVersion: "Unknown",
        statuses: [
          {
            code: "ProvisioningState/Unavailable",
            level: "Warning",
            displayStatus: "Not Ready",
            message: "VM status blob is found but not yet populated.",
            time,
          },
        ],
      };

/** Returns the current instance view of a machine. */
export const instanceView = (vm: StoredResource<Vm>, world: World): Json => {
  const time = new Date(world.clock.now()).toISOString();
  // Where the logs are that Azure keeps itself is only told to who asks for it.
  const diagnostics = vm.properties.diagnosticsProfile?.bootDiagnostics;
  const last = world.state.operations.findLast(({ target }) => target === vm.id);
  const [code, displayStatus] =
    vm.machine?.deallocated === true
      ? (["deallocated", "VM deallocated"] as const)
      : powers[vm.machine?.power ?? "off"];
  return {
    computerName: vm.properties.osProfile?.computerName,
    osName: isWindows(vm.properties) ? "Windows Server 2022 Datacenter" : "ubuntu",
    osVersion: isWindows(vm.properties) ? "10.0.20348" : "24.04",
    hyperVGeneration: "V2",
    vmAgent: agentOf(vm, world, time),
    disks: diskStatuses(vm.properties, {
      code: "ProvisioningState/succeeded",
      level: "Info",
      displayStatus: "Provisioning succeeded",
      time,
    }),
    extensions: extensionViews(vm.id, world),
    ...(diagnostics?.enabled === true
      ? { bootDiagnostics: diagnostics.storageUri === undefined ? {} : bootLogUrls(vm, 120, world) }
      : {}),
    statuses: [stateStatus(vm, last?.error?.code, time), { code: `PowerState/${code}`, level: "Info", displayStatus }],
  };
};
