import { silentLogger } from "@capstan/contract";
import type { GuestCloudV1 } from "@capstan/contract/v1";
import { recentClock, seededRandom } from "@capstan/testing";
import { Console } from "../src/boot/console.ts";
import { Disk } from "../src/boot/disk.ts";
import { Images } from "../src/images/images.ts";
import { shellOf } from "../src/machine/machine-programs.ts";
import type { MachineContext } from "../src/node/machine-context.ts";
import { newSoftware, startSoftware } from "../src/software/machine-software.ts";
import { Input } from "../src/unix/session.ts";
import type { Dialect } from "../src/unix/syntax.ts";
import { GuestNetwork } from "../src/workload/guest-network.ts";
import { WorkloadRegistry } from "../src/workload/workload-registry.ts";

export interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

const emptyCloud: GuestCloudV1 = {
  name: "example",
  controller: () => undefined,
  refusal: () => undefined,
  instance: () => undefined,
  balance: async () => [],
  unbalance: async () => undefined,
};

/** A machine of an image that has booted and done nothing, and a shell on it. */
export const strictMachine = (
  image = "linode/ubuntu22.04",
  {
    lenient = false,
    passes,
  }: { readonly lenient?: boolean; readonly passes?: NonNullable<GuestCloudV1["passes"]> } = {},
) => {
  const network = new GuestNetwork();
  if (passes !== undefined) network.clouds.connect({ ...emptyCloud, passes });
  const off = new AbortController();
  const clock = recentClock();
  const random = seededRandom(1);
  const disk = new Disk();
  const software = newSoftware(disk);
  disk.mount(new Images([]).get(image).base);
  startSoftware(software, disk);
  const machine: MachineContext = {
    request: { id: "1", metadata: {}, userData: "", address: "127.0.0.1", providerID: "" },
    disk,
    console: new Console({ clock }),
    clock,
    random,
    log: silentLogger,
    signal: off.signal,
    workloads: new WorkloadRegistry(
      { clock, random, log: silentLogger, onStorageFailed: undefined },
      undefined,
      network,
    ),
    lenient,
    software,
    askedVersion: () => Promise.resolve(undefined),
    hostname: "node-1",
  };
  const shell = shellOf(machine, { further: { kubeadm: () => 0 }, places: [], kubeadmMs: 0 });
  const run = async (script: string, dialect: Dialect = "bash", args: readonly string[] = []): Promise<Ran> => {
    let [out, err] = ["", ""];
    const streams = {
      input: new Input(),
      out: (text: string) => void (out += text),
      err: (text: string) => void (err += text),
    };
    const status = await shell.script(script, { name: dialect === "bash" ? "bash" : "sh", dialect, args, streams });
    return { status, out, err };
  };
  return { clock, disk, machine, off, run, shell, software };
};
