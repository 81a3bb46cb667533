import type { GuestHostV1, GuestMachineV1, GuestRunV1 } from "@capstan/contract/v1";
import { forwardTcp } from "@capstan/simulation/network";
import type { MachineHost } from "../host/machine-host.ts";
import type { Namespaces } from "../host/namespaces.ts";

const apiServerPort = 6443;

export interface RealGuestsOptions {
  readonly host: MachineHost;
  readonly namespaces: Pick<Namespaces, "execute">;
  /** The image that stands for what the cloud calls its own. */
  readonly image: string;
}

interface RealGuest {
  readonly id: string;
  readonly way: { close(): Promise<void> };
}

/** Lets the machines of a simulated cloud run for real: its address of each on this host leads to the machine's API server. */
export const realGuests = ({ host, image, namespaces }: RealGuestsOptions): GuestHostV1 => {
  const guests = new Map<string, RealGuest>();
  const start = async ({ address, id, metadata, name, userData }: GuestMachineV1): Promise<void> => {
    if (guests.has(id)) throw new Error(`${name} has booted already, and real machines do not boot again`);
    const created = host.create({
      tag: id,
      name: metadata["local-hostname"] ?? name,
      image,
      userData: Buffer.from(userData, "base64"),
      metadata,
    });
    const target = [{ host: created.address, port: apiServerPort }];
    guests.set(id, {
      id: created.id,
      way: await forwardTcp({ host: address, port: apiServerPort }, () => target),
    });
    host.start(created.id);
  };
  const run = async (id: string, script: string): Promise<GuestRunV1 | undefined> => {
    const guest = guests.get(id);
    if (guest === undefined || host.machines.get(guest.id)?.state !== "running") return undefined;
    try {
      const stdout = await namespaces.execute(guest.id, ["bash", "-c", script]);
      return { exitCode: 0, stdout, stderr: "" };
    } catch (error) {
      return { exitCode: 1, stdout: "", stderr: (error as Error).message };
    }
  };
  return {
    boot: start,
    run,
    shutdown: async (id) => {
      const guest = guests.get(id);
      guests.delete(id);
      if (guest === undefined) return;
      host.delete(guest.id);
      await guest.way.close();
    },
  };
};
