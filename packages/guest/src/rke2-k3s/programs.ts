import type { MachineContext } from "../node/machine-context.ts";
import { distributionUnit } from "../packages/distribution-units.ts";
import { programFile, programIn, type ProgramContext } from "../unix/program.ts";
import { type Distribution, distributions } from "./distribution.ts";
import type { NodeConfig } from "./node-config.ts";
import { startService } from "./service.ts";

const unitFolder = "/etc/systemd/system";
const unitFolders = [unitFolder, "/usr/local/lib/systemd/system", "/usr/lib/systemd/system"];

/** Distribution that a unit starts, with its role and settings. */
interface Unit {
  readonly distribution: Distribution;
  readonly role: "agent" | "server";
  readonly version: string;
  /** Settings of the command and its environment, by name; they override those of the configuration files. */
  readonly settings: NodeConfig;
}

/** `--key=value`, `--key value`, `--flag`. */
const settingsOf = (words: readonly string[]): NodeConfig => {
  const settings: Record<string, unknown> = {};
  for (let at = 0; at < words.length; at += 1) {
    const [, name, value] = /^--([\w-]+)(?:=(.*))?$/s.exec(words[at] ?? "") ?? [];
    if (name === undefined) continue;
    const next = words[at + 1];
    const takesNext = value === undefined && next !== undefined && !next.startsWith("-");
    if (takesNext) at += 1;
    const given = value ?? (takesNext ? next : true);
    settings[name] = settings[name] === undefined ? given : [settings[name], given].flat();
  }
  return settings;
};

/** Returns the settings in the environment files of a unit: `K3S_URL`, `RKE2_TOKEN`. */
const environmentOf = (unit: string, { disk }: Pick<ProgramContext, "disk">): NodeConfig => {
  const paths = [...unit.matchAll(/^EnvironmentFile=-?(\S+)$/gm)].map(([, path = ""]) => path);
  const text = paths.map((path) => disk.text(path) ?? "").join("\n");
  const value = (name: string): string | undefined =>
    new RegExp(`^(?:K3S|RKE2)_${name}=["']?([^"'\n]*)`, "m").exec(text)?.[1];
  const [server, token] = [value("URL"), value("TOKEN")];
  return { ...(server !== undefined && { server }), ...(token !== undefined && { token }) };
};

const readUnit = (text: string, context: ProgramContext): Unit | undefined => {
  const command = [...text.replace(/\\\n\s*/g, " ").matchAll(/^ExecStart=(.*)$/gm)].at(-1)?.[1] ?? "";
  const words = command.split(/\s+/).flatMap((word) => (word === "" ? [] : [word.replace(/^(["'])(.*)\1$/, "$2")]));
  const [path = "", role = "", ...more] = words;
  const program = programIn(context.disk.text(path) ?? "");
  const distribution = distributions.find(({ name }) => name === program?.name);
  if (program === undefined || distribution === undefined || (role !== "server" && role !== "agent")) return undefined;
  const settings = { ...environmentOf(text, context), ...settingsOf(more) };
  return { distribution, role, version: program.version, settings };
};

const start = async (machine: MachineContext, { distribution, ...unit }: Unit, delayMs: number): Promise<number> => {
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

/** Returns the version that an image for installation without a network contains. */
const versionInImage = async (machine: MachineContext, name: Distribution["name"]): Promise<string | undefined> =>
  machine.lenient ? machine.askedVersion() : machine.software.programs.get(name);

/** Runs the install script of a distribution. */
export const installDistribution = async (
  machine: MachineContext,
  name: Distribution["name"],
  options: { readonly context: ProgramContext; readonly delayMs: number },
): Promise<number> => {
  const known = distributions.find((each) => each.name === name);
  return known === undefined ? 1 : install(machine, known, options);
};

const install = async (
  machine: MachineContext,
  distribution: Distribution,
  { context, delayMs }: { readonly context: ProgramContext; readonly delayMs: number },
): Promise<number> => {
  const { disk, variables } = context;
  const { name, offlineVariable, roleVariable, services, starts, versionVariable } = distribution;
  const isOffline = variables[offlineVariable] !== undefined;
  const version = (isOffline ? await versionInImage(machine, name) : variables[versionVariable]) ?? "";
  if (!new RegExp(`^v\\d+\\.\\d+\\.\\d+.*\\+${name}`).test(version)) {
    const place = isOffline ? " in the image" : "";
    context.console.print(
      "install",
      `[ERROR] Unable to find the version ${JSON.stringify(version)} of ${name}${place}`,
    );
    return 1;
  }
  const [first = "", ...flags] = (variables[roleVariable] ?? "").split(/\s+/);
  const role = first === "agent" ? "agent" : "server";
  for (const program of name === "k3s" ? ["k3s", "kubectl", "crictl"] : [name]) {
    disk.write(`/usr/local/bin/${program}`, programFile(program, version), { permissions: "0755" });
  }
  const command = [role, ...(first.startsWith("-") ? [first, ...flags] : flags)].join(" ");
  const unit = distributionUnit(services[role], `/usr/local/bin/${name}`, command);
  disk.write(`${unitFolder}/${services[role]}`, unit);
  context.console.print("install", `[INFO] Using ${version} as release; installed ${services[role]}`);
  if (!starts) return 0;
  const settings = settingsOf(command.split(" ").slice(1));
  return start(machine, { distribution, role, version, settings }, delayMs);
};

/** `systemctl` for the services of k3s and RKE2. */
export const serviceControl = async (
  machine: MachineContext,
  context: ProgramContext,
  delayMs: number,
): Promise<number> => {
  const { args, disk } = context;
  const [verb, path = ""] = args.filter((argument) => !argument.startsWith("-"));
  const service = `${(path.split("/").at(-1) ?? path).replace(/\.service$/, "")}.service`;
  if (verb === "mask") {
    disk.write(`${unitFolder}/${service}`, "");
    return 0;
  }
  if (verb === "disable" || verb === "stop") return 0;
  const text = unitFolders.map((folder) => disk.text(`${folder}/${service}`)).find((each) => each !== undefined);
  if (text === undefined || text === "") {
    context.console.print("systemctl", `Unit ${service} not found or masked.`);
    return 5;
  }
  const starts = verb === "start" || verb === "restart" || (verb === "enable" && args.includes("--now"));
  if (!starts) return 0;
  const unit = readUnit(text, context);
  if (unit !== undefined) return start(machine, unit, delayMs);
  context.console.print("systemctl", `Job for ${service} failed because the control process exited with error code.`);
  return 1;
};

/** Whose install script is started with these variables. */
export const distributionOfVariables = (
  variables: Readonly<Record<string, string>>,
): Distribution["name"] | undefined =>
  distributions.find(({ roleVariable }) => variables[roleVariable] !== undefined)?.name;
