import { invalid } from "@capstan/simulation";
import { regions } from "../seed.ts";
import type { SimulatorState, StoredInstance } from "../state.ts";
import type { World } from "../world.ts";
import { publicAddress } from "./example-addresses.ts";

/** Returns whether an address stays the account's when no instance has it. */
export const isReserved = (address: string, { reservedIps }: Pick<SimulatorState, "reservedIps">): boolean =>
  reservedIps.some((each) => each.address === address);

/** Tags of a reserved address. */
export const tagsOf = (address: string, { reservedIps }: Pick<SimulatorState, "reservedIps">): readonly string[] =>
  reservedIps.find((each) => each.address === address)?.tags ?? [];

const ownerOf = (address: string, { instances }: Pick<SimulatorState, "instances">): StoredInstance | undefined =>
  instances.find(({ publicIp, extraIps }) => publicIp === address || extraIps.includes(address));

/** The reserved addresses that no instance has. */
export const unassigned = (state: SimulatorState): SimulatorState["reservedIps"] =>
  state.reservedIps.filter(({ address }) => ownerOf(address, state) === undefined);

/** A public address that no one had. */
export const newPublicAddress = (world: World): string => {
  const host = world.state.nextHost;
  world.newAddress();
  return publicAddress(host);
};

/** Reserves a new address in a region. */
export const reserve = (region: string, world: World, tags: readonly string[] = []): string => {
  if (!regions.some(({ id }) => id === region)) throw invalid("region is not valid", "region");
  const address = newPublicAddress(world);
  world.state.reservedIps.push({ address, region, tags });
  return address;
};

/** Keeps the address of an instance, or no longer; one that no instance has is gone then. */
export const setReserved = (address: string, isKept: boolean, { state }: World): void => {
  if (isKept === isReserved(address, state)) return;
  if (!isKept) {
    state.reservedIps = state.reservedIps.filter((each) => each.address !== address);
    return;
  }
  const owner = ownerOf(address, state);
  if (owner === undefined) throw invalid("Only public IPv4 addresses can be reserved", "reserved");
  state.reservedIps.push({ address, region: owner.region });
};

/** Refuses an address that an instance in the region cannot be given. */
export const checkReserved = (address: string, region: string, state: SimulatorState, field: string): void => {
  if (!unassigned(state).some((each) => each.address === address && each.region === region)) {
    throw invalid("Must be a reserved address of the account in this region that no Linode has", field);
  }
};
