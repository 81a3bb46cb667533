import { Group } from "@capstan/contract";
import { machine as machineFields, readReference, SecretResource, valueAt } from "@capstan/contract/wire";
import { fromBase64 } from "@capstan/kube-values";
import { isJsonObject, type KubeObject } from "@capstan/schema";
import type { World } from "./world.ts";

type Json = Readonly<Record<string, unknown>>;

/** Where objects that bootstrap data refers to are read. */
export type SetupSource = Pick<World, "find">;

/** Effect of the bootstrap data of kubeadm, k3s or RKE2 on a machine, as far as it can be read. */
export interface MachineSetup {
  /** Kind of the bootstrap config: `KubeadmConfig`. */
  readonly kind: string;
  readonly spec: Json;
  /** Its commands and files as one text. */
  readonly text: string;
  /** Its commands before the machine becomes a Node, with the files that they, each other or the system run. */
  readonly runBefore: string;
  /** Some of it stands where it cannot be read. */
  readonly isPartlyUnknown: boolean;
  /** Returns whether all that a command does is known: what it applies or runs is a file of it. */
  isReadable(command: string): boolean;
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const record = (value: unknown): Json => (isJsonObject(value) ? value : {});

/** The content of a file that comes from a Secret. */
const secretText = async (from: Json, namespace: string, { find }: SetupSource): Promise<string | undefined> => {
  const { key, name } = record(from["secret"]);
  if (typeof name !== "string" || typeof key !== "string") return undefined;
  const { after } = await find({ apiGroup: SecretResource.group, kind: SecretResource.kind, name }, namespace);
  const [plain, encoded] = [record(after?.["stringData"])[key], record(after?.["data"])[key]];
  if (typeof plain === "string") return plain;
  return typeof encoded === "string" ? fromBase64(encoded) : undefined;
};

/** `undefined`: it cannot be read. */
const fileText = async (file: Json, namespace: string, source: SetupSource): Promise<string | undefined> => {
  const path = String(file["path"] ?? "");
  const content = file["content"] ?? (await secretText(record(file["contentFrom"]), namespace, source));
  // A configuration of a cloud provider, which a controller makes later, does nothing by itself.
  if (typeof content !== "string") return path.endsWith(".json") ? path : undefined;
  return file["encoding"] === undefined ? `${path}\n${content}` : undefined;
};

/** Commands that bring nothing into a cluster. */
const harmless = /^(?:cp|chmod|chown|echo|export|ln|mkdir|mv|rm|sed|sleep|systemctl|test|touch|true)\b/;

const readable =
  (paths: readonly string[]) =>
  (command: string): boolean =>
    command
      .split(/&&|\|\||;|\n/)
      .map((part) => part.trim())
      .every((part) => part === "" || harmless.test(part) || paths.some((path) => part.includes(path)));

/** Folders of which the system runs or reads the files by itself. */
const runBySystem = /^\/var\/lib\/cloud\/scripts\/|^\/etc\/(?:apt|cloud|cron|init|network|profile|rc)|\/systemd\//;

interface WrittenFile {
  readonly path: string;
  readonly text: string;
}

const namesFile = (text: string, path: string): boolean => {
  const end = path.lastIndexOf("/");
  return text.includes(path.slice(end + 1)) || (end > 0 && text.includes(`${path.slice(0, end)}/`));
};

/** Returns the commands with the files that they lead to, each once. */
const whatRuns = (commands: string, files: readonly WrittenFile[]): string => {
  const found = files.filter(({ path }) => namesFile(commands, path) || runBySystem.test(path));
  if (found.length === 0) return commands;
  const left = files.filter((file) => !found.includes(file));
  return whatRuns([commands, ...found.map(({ text }) => text)].join("\n"), left);
};

const setupOf = async (kind: string, spec: Json, namespace: string, source: SetupSource): Promise<MachineSetup> => {
  const files = list(spec["files"]).map(record);
  const texts = await Promise.all(files.map((file) => fileText(file, namespace, source)));
  const commands = Object.entries(spec).flatMap(([field, value]) =>
    field.endsWith("Commands") ? list(value).map((command) => ({ field, command: String(command) })) : [],
  );
  const before = commands.filter(({ field }) => !field.startsWith("post")).map(({ command }) => command);
  const written = files.map(({ path }, at) => ({ path: String(path), text: texts[at] ?? "" }));
  return {
    kind,
    spec,
    text: [...commands.map(({ command }) => command), ...written.map(({ text }) => text)].join("\n"),
    runBefore: whatRuns(before.join("\n"), written),
    isPartlyUnknown: texts.includes(undefined) || spec["format"] === "ignition" || "additionalUserData" in spec,
    isReadable: readable(files.map(({ path }) => String(path))),
  };
};

const kinds: readonly string[] = ["KubeadmConfig", "KThreesConfig", "RKE2Config"];

/**
 * Returns the setup of the machines that an owner creates; `undefined` where its config is of a kind that is not read
 * here.
 */
export const setupOfOwner = async (owner: KubeObject, source: SetupSource): Promise<MachineSetup | undefined> => {
  const namespace = owner.metadata.namespace ?? "";
  const own = valueAt(owner, "spec.kubeadmConfigSpec");
  if (isJsonObject(own)) return setupOf("KubeadmConfig", own, namespace, source);
  const paths = [machineFields.bootstrapConfigRefPath, `spec.template.${machineFields.bootstrapConfigRefPath}`];
  const reference = paths.map((path) => readReference(owner, path)).find((each) => each !== undefined);
  if (reference?.apiGroup !== Group.bootstrap) return undefined;
  const { after } = await source.find(reference, namespace);
  const kind = reference.kind.replace(/Template$/, "");
  if (after === undefined || !kinds.includes(kind)) return undefined;
  const spec = valueAt(after, reference.kind === kind ? "spec" : "spec.template.spec");
  return setupOf(kind, record(spec), namespace, source);
};

/** Returns the commands that run once the machine is a Node. */
export const postCommands = ({ spec }: MachineSetup): readonly string[] =>
  ["postKubeadmCommands", "postK3sCommands", "postRKE2Commands"].flatMap((field) => list(spec[field]).map(String));

const registrations = (spec: Json): readonly Json[] =>
  ["initConfiguration", "joinConfiguration"].map((part) => record(record(spec[part])["nodeRegistration"]));

/** Arguments of the kubelets that kubeadm starts, in the list of today's API or the map of the older one. */
export const kubeletArguments = ({ spec }: MachineSetup): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    registrations(spec).flatMap(({ kubeletExtraArgs: given }) =>
      Array.isArray(given)
        ? given.map(record).map(({ name, value }) => [String(name), value] as const)
        : Object.entries(record(given)),
    ),
  );

/** Checks of kubeadm that it leaves out, in lower case. */
export const ignoredChecks = ({ spec }: MachineSetup): readonly string[] =>
  registrations(spec).flatMap(({ ignorePreflightErrors }) =>
    list(ignorePreflightErrors).map((each) => String(each).toLowerCase()),
  );
