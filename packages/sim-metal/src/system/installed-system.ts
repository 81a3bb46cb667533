import type { BootProgram, Handover, Host } from "../boot/boot-program.ts";
import { fetchEc2 } from "./ec2-source.ts";
import { metadataUrls } from "./cloud-init-config.ts";

/** A disk with an image of a usual distribution: its cloud-init finds metadata where the files on the disk say, and begins. */
export const installedSystem: BootProgram = {
  name: "installed system",
  boots: ({ kind }) => kind === "disk",
  run: async (host): Promise<Handover> => {
    const disk = host.machine.disks.find(({ image }) => image !== undefined);
    if (disk === undefined) return "next";
    const urls = metadataUrls(disk.files);
    if (urls.length === 0) host.print("cloud-init: no data source is configured");
    const found = urls.length === 0 ? undefined : await fetchEc2(urls, networkOf(host));
    const { userData = "", metadata = {} } = found ?? {};
    const providerID = providerIdIn(userData);
    if (providerID !== undefined) {
      host.machine.providerID = providerID;
      await host.save();
    }
    await host.startSystem({ userData: Buffer.from(userData).toString("base64"), metadata });
    return "stay";
  },
};

const networkOf = ({ machine, clock, signal, print }: Host) => ({
  localAddress: machine.address,
  clock,
  signal,
  print: (line: string) => print(`cloud-init: ${line}`),
});

/**
 * Returns the provider ID set for the kubelet, the only source of it on bare metal: an argument, the `name` and `value` of one, or a
 * key.
 */
const providerIdIn = (userData: string): string | undefined =>
  /\bprovider-id["']?,?\s*["']?(?:value["']?)?\s*[:=]\s*["']?([a-z][a-z0-9+.-]*:\/\/[^\s"',}]+)/.exec(userData)?.[1];
