import type { InstanceConfig, UpdateInstanceConfig } from "@capstan/linode-client";
import type { Disk } from "@capstan/linode-client";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import { devicesToSet } from "./disks.ts";
import type { DataSlot } from "./disks.ts";

/** Returns the changes to the configuration profile before the first boot, and no other fields; `undefined` if none. */
export const configurationChange = (
  spec: LinodeMachine["spec"],
  config: InstanceConfig,
  existing: ReadonlyMap<DataSlot, Disk>,
): UpdateInstanceConfig | undefined => {
  const kernel = spec.configuration?.kernel;
  const network = spec.networkHelper ?? true;
  const devices = devicesToSet(config.devices, existing);
  const change: UpdateInstanceConfig = {
    ...(devices === undefined ? {} : { devices }),
    ...(kernel === undefined || kernel === config.kernel ? {} : { kernel }),
    ...(usesLinodeInterfaces(spec) || config.helpers.network === network ? {} : { helpers: { network } }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
};

/**
 * Interfaces of the newer generation, which take the network helper at creation. Interfaces that are given say themselves of which they
 * are, as upstream has it.
 */
export const usesLinodeInterfaces = ({
  interfaceGeneration,
  interfaces = [],
  linodeInterfaces,
}: LinodeMachine["spec"]): boolean =>
  linodeInterfaces !== undefined || (interfaceGeneration === "linode" && interfaces.length === 0);
