import type { MachineContext } from "../node/machine-context.ts";
import type { Program, ProgramContext } from "../shell/shell.ts";
import { type Distribution, distributions } from "./distribution.ts";
import { startService } from "./service.ts";

/** First line of what the model writes for an install script that it knows. */
const marker = "#!/bin/sh\n# install script of";

const unitPath = (service: string): string => `/etc/systemd/system/${service}`;

/** What the install script leaves: what a unit starts. */
interface Unit {
  readonly distribution: Distribution["name"];
  readonly role: "agent" | "server";
  readonly version: string;
}

const download = ({ args, disk }: ProgramContext): number | undefined => {
  const target = args[args.indexOf("-o") + 1];
  const known = distributions.find(({ installer }) => args.includes(installer));
  if (known === undefined || !args.includes("-o") || target === undefined) return undefined;
  disk.write(target, `${marker} ${known.name}\n`, { permissions: "0644" });
  return 0;
};

const start = async (machine: MachineContext, unit: Unit, delayMs: number): Promise<number> => {
  const distribution = distributions.find(({ name }) => name === unit.distribution);
  if (distribution === undefined) return 5;
  await machine.clock.sleep(delayMs, { signal: machine.signal });
  try {
    await startService(machine, distribution, unit);
    return 0;
  } catch (error) {
    machine.signal.throwIfAborted();
    machine.console.print(distribution.name, `level=fatal msg=${JSON.stringify((error as Error).message)}`);
    return 1;
  }
};

const notModelled = ({ console: output }: ProgramContext, program: string): number => {
  output.print("sh", `${program}: not modelled, taken as success`);
  return 0;
};

const install = async (
  machine: MachineContext,
  distribution: Distribution,
  { context, delayMs }: { readonly context: ProgramContext; readonly delayMs: number },
): Promise<number> => {
  const { disk, variables } = context;
  const { name, offlineVariable, roleVariable, services, starts, versionVariable } = distribution;
  const isOffline = variables[offlineVariable] !== undefined;
  const version = (isOffline ? await machine.askedVersion() : variables[versionVariable]) ?? "";
  if (!new RegExp(`^v\\d+\\.\\d+\\.\\d+.*\\+${name}`).test(version)) {
    const place = isOffline ? " in the image" : "";
    context.console.print(
      "install",
      `[ERROR] Unable to find the version ${JSON.stringify(version)} of ${name}${place}`,
    );
    return 1;
  }
  const role = variables[roleVariable] === "agent" ? "agent" : "server";
  const unit: Unit = { distribution: name, role, version };
  disk.write(`/usr/local/bin/${name}`, `${name} ${version}\n`, { permissions: "0755" });
  disk.write(unitPath(services[role]), JSON.stringify(unit));
  context.console.print("install", `[INFO] Using ${version} as release; installed ${services[role]}`);
  return starts ? start(machine, unit, delayMs) : 0;
};

const systemctl = async (machine: MachineContext, context: ProgramContext, delayMs: number): Promise<number> => {
  const { args, disk } = context;
  const [verb, service = ""] = args.filter((argument) => !argument.startsWith("-"));
  const known = distributions.some(({ services }) => services.agent === service || services.server === service);
  if (!known) return notModelled(context, "systemctl");
  const text = disk.text(unitPath(service));
  if (verb === "mask") {
    disk.write(unitPath(service), "");
    return 0;
  }
  if (text === undefined || text === "") {
    context.console.print("systemctl", `Unit ${service} not found or masked.`);
    return 5;
  }
  const starts = verb === "start" || verb === "restart" || (verb === "enable" && args.includes("--now"));
  return starts ? start(machine, JSON.parse(text) as Unit, delayMs) : 0;
};

/** The programs with which k3s and RKE2 are installed and started; for anything else `others` stand in. */
export const rke2K3sPrograms = (
  machine: MachineContext,
  others: Readonly<Record<string, Program>>,
  delayMs: number,
): Readonly<Record<string, Program>> => ({
  curl: (context) => download(context) ?? others["curl"]?.(context) ?? notModelled(context, "curl"),
  sh: (context) => {
    const text = context.disk.text(context.args[0] ?? "") ?? "";
    const known = distributions.find(
      ({ name, roleVariable }) => text === `${marker} ${name}\n` || context.variables[roleVariable] !== undefined,
    );
    if (known !== undefined) return install(machine, known, { context, delayMs });
    return others["sh"]?.(context) ?? notModelled(context, "sh");
  },
  systemctl: (context) => systemctl(machine, context, delayMs),
});
