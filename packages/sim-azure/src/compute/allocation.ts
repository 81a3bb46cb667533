import { same } from "../resource-id.ts";
import { operationError } from "../operations/operations.ts";
import type { OperationError, StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { isMachine, type Vm } from "../vm.ts";

type Placed = Pick<StoredResource<Pick<Vm, "hardwareProfile">>, "id" | "location" | "outer" | "properties">;

const zoneOf = ({ outer }: Pick<Placed, "outer">): string | undefined =>
  (outer["zones"] as readonly string[] | undefined)?.[0];

const sizeOf = ({ properties }: Pick<Placed, "properties">): string => properties.hardwareProfile.vmSize;

/** Machines of a size that run in a location, or in a zone of it. */
const runningOf = (machine: Placed, zone: string | undefined, { state }: World): number =>
  state.resources.filter(
    (each) =>
      isMachine(each) &&
      each.machine !== undefined &&
      each.machine.deallocated !== true &&
      each.id !== machine.id &&
      same(each.location, machine.location) &&
      same(sizeOf(each as unknown as Placed), sizeOf(machine)) &&
      (zone === undefined || zoneOf(each) === zone),
  ).length;

/** True if the machine has requirements other than size and zone that leave fewer hosts: ultra disks or an availability set. */
const isConstrained = ({ properties }: Placed): boolean => {
  const { additionalCapabilities, availabilitySet } = properties as Partial<Vm>;
  return additionalCapabilities?.ultraSSDEnabled === true || availabilitySet !== undefined;
};

/** Why there is no host for a machine; `undefined`: there is one. */
export const shortageOf = (machine: Placed, world: World): OperationError | undefined => {
  const [size, zone] = [sizeOf(machine), zoneOf(machine)];
  const room = ([name, count]: readonly [string, number]): boolean => {
    const [ofSize = "", ofZone] = name.split("/");
    if (!same(ofSize, size) || (ofZone !== undefined && ofZone !== zone)) return true;
    return runningOf(machine, ofZone, world) < count;
  };
  if (Object.entries(world.capacity).every(room)) return undefined;
  if (zone === undefined) return operationError("AllocationFailed");
  return operationError(isConstrained(machine) ? "OverconstrainedZonalAllocationRequest" : "ZonalAllocationFailed");
};
