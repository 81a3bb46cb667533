import type { Logger } from "@capstan/contract";
import { HostAgent, type AgentOutcome } from "@capstan/infra-metal/elemental-agent";
import { agentConfigPath, readAgentConfig } from "@capstan/infra-metal/elemental-agent";
import type { HostSystem } from "@capstan/infra-metal/elemental-agent";
import type { OsPlugin } from "@capstan/infra-metal/elemental-agent";
import { bootstrapPaths, dummyPlugin, needsResetFile } from "@capstan/infra-metal/elemental-agent";
import type { BootProgram, Handover, Host } from "../boot/boot-program.ts";
import { agentSystem } from "./agent-system.ts";
import type { BootMedia } from "./boot-media.ts";

/** In the drive of a machine: a boot medium of Elemental, with the configuration of the first registration, or of one after a colon. */
export const elementalMedium = "elemental";
/** The image on the disk of a machine that was installed. */
const elementalImage = "elemental";

const osRelease = 'NAME="SL Micro"\nID="sl-micro"\nID_LIKE="suse"\nVERSION_ID="6.1"\n';
/** By its presence cloud-init knows that it has run. */
const cloudInitDone = "/var/lib/cloud/instance/boot-finished";

const isMedium = (url: string): boolean => url === elementalMedium || url.startsWith(`${elementalMedium}:`);

const registrationOf = (url: string | undefined): string | undefined => {
  const name = url?.slice(elementalMedium.length + 1) ?? "";
  return name === "" ? undefined : name;
};

/** The operating system of simulated hosts: it is installed by being written down, and cloud-init runs again with bootstrap data. */
const osPlugin = (host: Host, system: HostSystem): OsPlugin => {
  const { machine } = host;
  const written = dummyPlugin({ files: system.files, hostname: async () => machine.name });
  return {
    ...written,
    install: async (config) => {
      await written.install(config);
      const [disk] = machine.disks;
      if (disk === undefined) throw new Error("the machine has no disk to install on");
      disk.image = elementalImage;
      machine.bootDevice = "disk";
      await host.save();
    },
    bootstrap: async (data) => {
      await written.bootstrap(data);
      host.systemDisk()?.remove(cloudInitDone);
    },
    reset: async (config) => {
      await written.reset(config);
      for (const disk of machine.disks) delete disk.image;
      machine.bootDevice = "cdrom";
      machine.agentFiles = {};
      await host.save();
    },
  };
};

const consoleLogger = (host: Host): Logger => {
  const say = (message: string, fields: object = {}): void => {
    const { error } = fields as { readonly error?: unknown };
    host.print(`elemental-agent: ${message}${error === undefined ? "" : `: ${String(error)}`}`);
  };
  const log: Logger = { debug: () => undefined, info: say, warn: say, error: say, child: () => log };
  return log;
};

const handovers: Readonly<Record<AgentOutcome, Handover>> = {
  done: "stay",
  "power-off": "power-off",
  reboot: "reboot",
};

const textOf = async (system: HostSystem, path: string): Promise<string | undefined> => {
  const bytes = await system.files.read(path);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString("utf8");
};

/** The configuration of the agent: on the disk, or on the medium that the machine booted. */
const configOf = async (host: Host, system: HostSystem, media: BootMedia): Promise<string> => {
  const known = await textOf(system, agentConfigPath);
  if (known !== undefined) return known;
  host.print("elemental-agent: waiting for the configuration on the boot medium");
  const config = await media.wait(registrationOf(host.machine.virtualMedia), host.signal);
  await system.files.write(agentConfigPath, config);
  return config;
};

const agentOf = (host: Host, system: HostSystem): HostAgent => {
  const { clock, random, signal } = host;
  return new HostAgent({ system, plugin: osPlugin(host, system), clock, random, log: consoleLogger(host), signal });
};

/** The system runs beside the agent; what it is bootstrapped with, it finds on its disk. */
const startSystem = async (host: Host, system: HostSystem): Promise<void> => {
  const data = (await Promise.all(Object.values(bootstrapPaths).map((path) => textOf(system, path)))).find(
    (text) => text !== undefined,
  );
  await system.files.write("/etc/os-release", osRelease);
  const userData = Buffer.from(data ?? "").toString("base64");
  host.startSystem({ userData, metadata: { "local-hostname": host.machine.name } }).catch((error: unknown) => {
    if (!host.signal.aborted) host.print(`elemental: the system did not start: ${String(error)}`);
  });
};

/** The recovery system: it undoes what there is, and the machine boots its medium again. */
const reset = async (host: Host, system: HostSystem): Promise<Handover> => {
  await host.erase();
  await startSystem(host, system);
  const outcome = await agentOf(host, system).reset();
  await host.erase();
  return outcome === "power-off" ? "power-off" : "reboot";
};

const isInstalled = ({ machine }: Host): boolean => machine.disks.some(({ image }) => image === elementalImage);

const registerAndInstall = async (host: Host, system: HostSystem): Promise<AgentOutcome> => {
  host.print("elemental-agent: registering");
  await agentOf(host, system).register();
  host.print("elemental-agent: installing");
  return agentOf(host, system).install();
};

/** A machine that boots a medium of Elemental, or was installed from one: its agent registers it, and does what it is told from then on. */
export const elementalProgram = (media: BootMedia): BootProgram => ({
  name: "elemental",
  boots: (medium) =>
    medium.kind === "media" ? isMedium(medium.url) : medium.kind === "disk" && medium.image === elementalImage,
  run: async (host) => {
    const system = agentSystem(host);
    const { agent } = readAgentConfig(await configOf(host, system, media));
    if ((await textOf(system, `${agent.workDir}/${needsResetFile}`)) !== undefined) return reset(host, system);
    await startSystem(host, system);
    if (!isInstalled(host)) {
      const outcome = await registerAndInstall(host, system);
      if (outcome !== "done") return handovers[outcome];
    }
    host.print("elemental-agent: running");
    return handovers[await agentOf(host, system).run()];
  },
});
