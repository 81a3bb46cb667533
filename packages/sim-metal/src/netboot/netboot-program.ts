import { runAgent } from "../agent/agent.ts";
import type { BootProgram, Handover, Host } from "../boot/boot-program.ts";
import { httpGet } from "../network/http-get.ts";
import { type LoadedKernel, runIpxe } from "./ipxe.ts";

/** Where the rack's DHCP sends iPXE: the provisioning services, at the ports that they have everywhere. */
const scriptUrl = (host: Host): string =>
  `http://${host.services}:7080/ipxe/script/${encodeURIComponent(host.machine.mac)}/auto.ipxe`;

/** From power-on to the installation system: iPXE, a script, the kernel that it names, and in it an agent. */
export const netbootProgram: BootProgram = {
  name: "netboot",
  boots: ({ kind }) => kind === "network",
  run: async (host): Promise<Handover> => {
    const loaded = await load(host);
    if (loaded === undefined) return "next";
    host.print(`kernel: ${loaded.kernel} ${loaded.args.join(" ")}`);
    return runAgent(host, kernelArguments(loaded.args));
  },
};

const load = async (host: Host): Promise<LoadedKernel | undefined> => {
  const { machine, signal, clock } = host;
  try {
    return await runIpxe(scriptUrl(host), {
      settings: { mac: machine.mac, "net0/mac": machine.mac, "net0/ip": machine.address, buildarch: machine.arch },
      fetch: (url) => httpGet(url, { localAddress: machine.address, signal }),
      sleep: (seconds) => clock.sleep(seconds * 1000, { signal }),
      print: (line) => host.print(line),
    });
  } catch (error) {
    signal.throwIfAborted();
    host.print((error as Error).message);
    return undefined;
  }
};

/** By name; those without a value are empty. The last one of a name counts. */
const kernelArguments = (args: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    args.map((arg) => {
      const at = arg.indexOf("=");
      return at < 0 ? [arg, ""] : [arg.slice(0, at), arg.slice(at + 1)];
    }),
  );
