import { readOptions, type UnixProgram, type UnixPrograms } from "../program.ts";
import { deviceText } from "../devices.ts";
import { newFileMode } from "./modes.ts";

const sizes: Readonly<Record<string, number>> = { "": 1, B: 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3, k: 1024 };

/** A number of bytes as programs take it: `4`, `1K`, `2M`. */
const bytesIn = (text: string): number => {
  const [, count = "0", unit = ""] = /^(\d+)([BKMGk]?)(?:i?B)?$/.exec(text) ?? [];
  return Number(count) * (sizes[unit] ?? 1);
};

/** Bytes of the largest file that is written. */
const most = 2 ** 24;

const dd: UnixProgram = ({ args, disk, fail, input, session, streams, write }) => {
  const given = new Map(args.map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]));
  const from = given.get("if");
  const text = from === undefined ? input.all() : (deviceText(from, session) ?? disk.text(from));
  if (text === undefined) return fail(`failed to open '${from}': No such file or directory`);
  const size = bytesIn(given.get("bs") ?? "512");
  const count = given.has("count") ? Number(given.get("count")) : undefined;
  const length = count === undefined ? text.length : Math.min(count * size, most);
  const isEndless = from !== undefined && deviceText(from, session) !== undefined;
  const copied =
    isEndless && text.length > 0
      ? text.repeat(Math.ceil(length / text.length)).slice(0, length)
      : text.slice(0, length);
  const to = given.get("of");
  if (to === undefined) write(copied);
  else if (!to.startsWith("/dev/")) disk.write(to, copied, disk.stat(to) ?? { permissions: newFileMode(session) });
  if (given.get("status") !== "none") {
    const blocks = Math.floor(copied.length / Math.max(size, 1));
    streams.err(
      `${blocks}+${copied.length % Math.max(size, 1) > 0 ? 1 : 0} records in\n${blocks}+${copied.length % Math.max(size, 1) > 0 ? 1 : 0} records out\n${copied.length} bytes copied\n`,
    );
  }
  return 0;
};

const truncate: UnixProgram = ({ args, disk, fail, session }) => {
  const { options, words } = readOptions(args, ["-s", "--size"]);
  const size = bytesIn(options.get("-s") ?? options.get("--size") ?? "0");
  if (size > most) return fail("the model has no files of that size");
  for (const path of words) {
    const before = disk.stat(path);
    const bytes = new Uint8Array(size);
    bytes.set(before?.bytes.subarray(0, size) ?? []);
    disk.write(path, bytes, before ?? { permissions: newFileMode(session) });
  }
  return 0;
};

/** `flock FILE COMMAND`, or of a descriptor. Scripts of one machine have no one to wait for. */
const flock: UnixProgram = async ({ args, disk, run, session }) => {
  const { options, words } = readOptions(
    args.slice(0, args.findIndex((word) => !word.startsWith("-")) + 1 || args.length),
    ["-w", "-E"],
  );
  const at = args.indexOf(words[0] ?? "");
  const [file = "", ...command] = at < 0 ? [] : args.slice(at);
  if (/^\d+$/.test(file) || file === "") return 0;
  if (disk.stat(file) === undefined && !disk.isDirectory(file)) {
    disk.write(file, "", { permissions: newFileMode(session) });
  }
  if (command[0] === "-c" || options.has("-c")) return run(["sh", "-c", ...command.filter((word) => word !== "-c")]);
  return command.length === 0 ? 0 : run(command);
};

const substituted = (
  text: string,
  wanted: ReadonlySet<string> | undefined,
  environment: Readonly<Record<string, string>>,
): string =>
  text.replace(/\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g, (whole, plain?: string, braced?: string) => {
    const name = plain ?? braced ?? "";
    return wanted === undefined || wanted.has(name) ? (environment[name] ?? "") : whole;
  });

/** `openssl rand`. */
const openssl: UnixProgram = ({ args, fail, session, write }) => {
  const { options, words } = readOptions(args, ["-out"]);
  const [command, count = ""] = words;
  if (command !== "rand" || !/^\d+$/.test(count) || Number(count) > 65_536) return fail("only rand is modelled", 1);
  const bytes = Buffer.from(Array.from({ length: Number(count) }, () => session.effort.random() & 0xff));
  write(options.has("-hex") || args.includes("-hex") ? `${bytes.toString("hex")}\n` : `${bytes.toString("base64")}\n`);
  return 0;
};

const names: Readonly<Record<string, string>> = {
  LONG_BIT: "64",
  PAGESIZE: "4096",
  PAGE_SIZE: "4096",
  CLK_TCK: "100",
  ARG_MAX: "2097152",
};

/** Small programs around files and the environment. */
export const smallPrograms: UnixPrograms = {
  dd,
  truncate,
  fallocate: ({ args, disk, session }) => {
    const { words } = readOptions(args, ["-l", "-o", "--length"]);
    for (const path of words) {
      if (disk.stat(path) === undefined) disk.write(path, "", { permissions: newFileMode(session) });
    }
    return 0;
  },
  flock,
  openssl,
  envsubst: ({ args, environment, input, write }) => {
    const [list] = args;
    const wanted =
      list === undefined ? undefined : new Set([...list.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name = ""]) => name));
    write(substituted(input.all(), wanted, environment));
    return 0;
  },
  printenv: ({ args, environment, write }) => {
    if (args.length === 0) for (const [name, value] of Object.entries(environment)) write(`${name}=${value}\n`);
    let status = 0;
    for (const name of args) {
      const value = environment[name];
      if (value === undefined) status = 1;
      else write(`${value}\n`);
    }
    return status;
  },
  getconf: ({ args: [name = ""], fail, write }) => {
    const value = name === "_NPROCESSORS_ONLN" ? "2" : names[name];
    if (value === undefined) return fail(`Unrecognized variable \`${name}'`, 2);
    write(`${value}\n`);
    return 0;
  },
  yes: ({ args, write }) => {
    const line = `${args.length === 0 ? "y" : args.join(" ")}\n`;
    write(line.repeat(Math.max(1, Math.floor(8192 / line.length))));
    return 0;
  },
  echo: ({ args, write }) => (write(`${args.join(" ")}\n`), 0),
  true: () => 0,
  false: () => 1,
  arch: ({ write }) => (write("x86_64\n"), 0),
  logger: ({ args, input, streams }) => {
    const { options, words } = readOptions(args, ["-t", "-p", "-i", "-f"]);
    const text = words.length > 0 ? `${words.join(" ")}\n` : input.all();
    if (options.has("-s")) streams.err(text.replace(/^(?=.)/gm, `${options.get("-t") ?? "root"}: `));
    return 0;
  },
  tty: ({ write }) => (write("not a tty\n"), 1),
};
