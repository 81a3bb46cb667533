import type { HostFiles, HostSystem, ProgramResult } from "@capstan/infra-metal/elemental-agent";
import type { Host } from "../boot/boot-program.ts";

const architectures = { aarch64: "arm64", x86_64: "amd64" } as const;

const bytesOf = async (content: AsyncIterable<Uint8Array> | Uint8Array | string): Promise<Buffer> => {
  if (typeof content === "string" || content instanceof Uint8Array) return Buffer.from(content);
  const parts: Uint8Array[] = [];
  for await (const part of content) parts.push(part);
  return Buffer.concat(parts);
};

const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** Returns the files that an agent sees: its own are kept with the machine, those of the system are read from its disk. */
const filesOf = (host: Host): HostFiles => {
  const { machine } = host;
  const stored = (path: string): Buffer | undefined => {
    const text = machine.agentFiles?.[path];
    return text === undefined ? undefined : Buffer.from(text, "base64");
  };
  const read = (path: string): Uint8Array | undefined => stored(path) ?? host.systemDisk()?.stat(path)?.bytes;
  const change = async (work: (files: Record<string, string>) => void): Promise<void> => {
    const files = { ...machine.agentFiles };
    work(files);
    machine.agentFiles = files;
    await host.save();
  };
  const put = (path: string, bytes: Buffer): Promise<void> =>
    change((files) => {
      files[path] = bytes.toString("base64");
    });
  const pathsIn = (folder: string): readonly string[] =>
    Object.keys(machine.agentFiles ?? {}).filter((path) => isIn(path, folder));
  return {
    read: async (path) => read(path),
    stream: async function* (path) {
      const bytes = read(path);
      if (bytes !== undefined) yield bytes;
    },
    size: async (path) => read(path)?.length,
    write: async (path, content) => put(path, await bytesOf(content)),
    append: async (path, content) =>
      put(path, Buffer.concat([stored(path) ?? Buffer.alloc(0), await bytesOf(content)])),
    makeFolder: async () => undefined,
    // The guest has no links: one is a copy of what it leads to.
    link: async (path, target) => {
      const folder = path.slice(0, path.lastIndexOf("/"));
      await put(path, stored(`${folder}/${target}`) ?? Buffer.alloc(0));
    },
    rename: (from, to) =>
      change((files) => {
        for (const path of pathsIn(from)) {
          files[`${to}${path.slice(from.length)}`] = files[path] ?? "";
          delete files[path];
        }
      }),
    remove: (path) =>
      change((files) => {
        for (const each of pathsIn(path)) delete files[each];
      }),
  };
};

/** Programs are scripts, which the shell of the system runs; it finds the files that lie beside them. */
const runIn = async (
  host: Host,
  { directory = "/", environment = {}, program }: Parameters<HostSystem["run"]>[0],
): Promise<ProgramResult> => {
  const disk = host.systemDisk();
  const beside = Object.entries(host.machine.agentFiles ?? {}).filter(([path]) => isIn(path, directory));
  for (const [path, text] of beside) disk?.write(path, Buffer.from(text, "base64"), { permissions: "0755" });
  const script = beside.find(([path]) => path === `${directory}/${program.replace(/^\.\//, "")}`)?.[1];
  if (script === undefined) throw new Error(`${program} is not there`);
  const text = Buffer.from(script, "base64").toString("utf8");
  const result = await host.runScript(text, { directory, environment });
  if (result === undefined) throw new Error("the system does not run");
  return { status: result.exitCode, output: `${result.stdout}${result.stderr}` };
};

/** A simulated machine as its agent sees it. */
export const agentSystem = (host: Host): HostSystem => ({
  files: filesOf(host),
  architecture: architectures[host.machine.arch],
  run: (run) => runIn(host, run),
});
