import type { Clock } from "@capstan/contract";
import { readOptions, type UnixProgram, type UnixPrograms } from "../unix/program.ts";
import { own } from "@capstan/schema";
import { date } from "./date.ts";
import { jq } from "../unix/programs/jq.ts";
import { compile } from "../unix/programs/expressions.ts";
import { findProgram } from "../unix/find-program.ts";

/** The machine as `uname`, `hostname` and the like see it. */
export interface SystemHost {
  readonly clock: Clock;
  readonly request: {
    readonly address: string;
    readonly hardware?: { readonly cpus: number; readonly memoryMiB: number };
  };
  hostname: string;
}

/** `30`, `30s`, `5m`. */
const milliseconds = (text = ""): number => {
  const [, count = "0", unit = "s"] = /^([\d.]+)([smhd]?)$/.exec(text) ?? [];
  return Number(count) * ({ m: 60_000, h: 3_600_000, d: 86_400_000 }[unit] ?? 1000);
};

/** `timeout` says by this status that time was over. */
const timedOut = 124;

const timeout =
  ({ clock }: SystemHost): UnixProgram =>
  async (context) => {
    const { words } = readOptions(context.args.slice(0, 1), []);
    const at = context.args.findIndex((word) => /^[\d.]+[smhd]?$/.test(word));
    const command = context.args.slice(at + 1);
    if (at < 0 || command.length === 0) return context.fail(`missing operand${words.join("")}`, 125);
    const over = new AbortController();
    const cancel = clock.schedule(milliseconds(context.args[at]), () => over.abort());
    try {
      return await context.run(command, { signal: AbortSignal.any([context.signal, over.signal]) });
    } catch (error) {
      context.signal.throwIfAborted();
      if (!over.signal.aborted) throw error;
      return timedOut;
    } finally {
      cancel();
    }
  };

const assigned = (words: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    words.flatMap((word) =>
      word.includes("=") ? [[word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]] : [],
    ),
  );

const env: UnixProgram = ({ args, environment, run, write }) => {
  const at = args.findIndex((word, index) => !word.includes("=") && !word.startsWith("-") && args[index - 1] !== "-u");
  const options = args.slice(0, at < 0 ? args.length : at);
  const given = assigned(options);
  const isEmpty = options.includes("-i") || options.includes("-") || options.includes("--ignore-environment");
  const unset = options.filter((_, index) => options[index - 1] === "-u");
  if (at >= 0) return run(args.slice(at), { environment: given, without: isEmpty ? Object.keys(environment) : unset });
  for (const [name, value] of Object.entries({ ...(isEmpty ? {} : environment), ...given })) {
    if (!unset.includes(name)) write(`${name}=${value}\n`);
  }
  return 0;
};

const shell =
  (dialect: "bash" | "sh"): UnixProgram =>
  async (context) => {
    const { args, disk, fail, input, runScript, session } = context;
    const kind =
      dialect === "bash"
        ? "bash"
        : session.dialect === "bash" && disk.text("/etc/os-release")?.match(/^ID=(?:ubuntu|debian)$/m) === null
          ? "bash"
          : "dash";
    let [at, flags] = [0, ""];
    while (/^[-+][a-zA-Z-]/.test(args[at] ?? "") && args[at] !== "--") {
      flags += (args[at] ?? "").replace(/^--\w+/, "").slice(1);
      if (args[at]?.endsWith("o") === true) at += 1;
      at += 1;
    }
    if (args[at] === "--") at += 1;
    const prelude = flags.replace(/[^eux]/g, "") === "" ? "" : `set -${flags.replace(/[^eux]/g, "")};`;
    if (flags.includes("c")) {
      const [script = "", name = kind === "bash" ? "bash" : "sh", ...rest] = args.slice(at);
      return runScript(`${prelude}${script}`, { name, args: rest, dialect: kind });
    }
    const path = flags.includes("s") ? undefined : args[at];
    if (path === undefined) {
      return runScript(`${prelude}${input.all()}`, { name: dialect, args: args.slice(at), dialect: kind });
    }
    const text = disk.text(path);
    if (text === undefined) {
      return kind === "bash"
        ? fail(`${path}: No such file or directory`, 127)
        : fail(`0: cannot open ${path}: No such file`, 2);
    }
    return runScript(`${prelude}${text}`, { name: path, args: args.slice(at + 1), dialect: kind });
  };

const uname: UnixProgram = ({ args, write }) => {
  const flags = args.join("");
  const parts = [
    [/^$|[sa]/, "Linux"],
    [/[na]/, "localhost"],
    [/[ra]/, "6.8.0-generic"],
    [/[mpi]|a/, "x86_64"],
  ] as const;
  write(
    `${parts
      .filter(([pattern]) => pattern.test(flags.replaceAll("-", "")))
      .map(([, text]) => text)
      .join(" ")}\n`,
  );
  return 0;
};

const hostnames = (host: SystemHost): UnixPrograms => ({
  hostname: ({ args, disk, fail, write }) => {
    const { options, words } = readOptions(args, ["-F", "--file"]);
    const path = options.get("-F") ?? options.get("--file");
    if (path !== undefined) {
      const text = disk.text(path);
      if (text === undefined) return fail(`can't open '${path}': No such file or directory`);
      host.hostname = text.trim();
    } else if (options.has("-I") || options.has("-i")) write(`${host.request.address}\n`);
    else if (words[0] !== undefined) host.hostname = words[0];
    else write(`${options.has("-s") ? host.hostname.split(".")[0] : host.hostname}\n`);
    return 0;
  },
  hostnamectl: ({ args, disk }) => {
    const words = args.filter((word) => !word.startsWith("-"));
    const name = words[0] === "set-hostname" || words[0] === "hostname" ? words[1] : undefined;
    if (name !== undefined) {
      host.hostname = name;
      disk.write("/etc/hostname", `${name}\n`);
    }
    return 0;
  },
});

/** `expr TEXT : PATTERN`, and two numbers with an operator between. */
const expr: UnixProgram = ({ args: [left = "", operator = "", right = ""], fail, write }) => {
  const say = (text: string | number): number => {
    write(`${text}\n`);
    return text === "" || text === 0 || text === "0" ? 1 : 0;
  };
  if (operator === "") return say(left);
  if (operator === ":") {
    const matcher = compile(right, { isExtended: false }).matcher(left);
    const fits = matcher.lookingAt();
    if (/\\\(/.test(right)) return say(fits ? (matcher.group(1) ?? "") : "");
    return say(fits ? matcher.end() : 0);
  }
  if (operator === "=" || operator === "!=") return say((left === right) === (operator === "=") ? 1 : 0);
  const [one, other] = [Number(left), Number(right)];
  if (Number.isNaN(one) || Number.isNaN(other)) return fail("non-integer argument", 2);
  const results: Readonly<Record<string, number>> = {
    "+": one + other,
    "-": one - other,
    "*": one * other,
    "/": Math.trunc(one / other),
    "%": one % other,
    "<": Number(one < other),
    "<=": Number(one <= other),
    ">": Number(one > other),
    ">=": Number(one >= other),
  };
  const result = own(results, operator);
  return result === undefined ? fail("syntax error", 2) : say(result);
};

const which: UnixProgram = ({ args, session, write }) => {
  let status = 0;
  for (const name of args.filter((word) => !word.startsWith("-"))) {
    const path = findProgram(name, session);
    if (path === undefined) status = 1;
    else write(`${path}\n`);
  }
  return status;
};

const ip =
  ({ request }: SystemHost): UnixProgram =>
  ({ args, write }) => {
    const isJson = args.some((word) => word === "-j" || word === "-json");
    if (args.includes("route") || args.includes("r")) {
      write(
        isJson
          ? '[{"dst":"default","gateway":"10.0.0.1","dev":"eth0"}]\n'
          : `default via 10.0.0.1 dev eth0 src ${request.address}\n`,
      );
    } else if (args.some((word) => /^a(?:ddr(?:ess)?)?$/.test(word))) {
      write(`2: eth0    inet ${request.address}/24 scope global eth0\n`);
    }
    return 0;
  };

/** Programs that say what the machine is, and start others. */
export const systemPrograms = (host: SystemHost): UnixPrograms => ({
  ...hostnames(host),
  bash: shell("bash"),
  sh: shell("sh"),
  sudo: ({ args, run }) => {
    const at = args.findIndex(
      (word, index) => !word.startsWith("-") && !word.includes("=") && !/^-[ugh]$/.test(args[index - 1] ?? ""),
    );
    return at < 0 ? 0 : run(args.slice(at), { environment: assigned(args.slice(0, at)) });
  },
  env,
  timeout: timeout(host),
  sleep: async ({ args: [time], signal }) => {
    await host.clock.sleep(milliseconds(time), { signal });
    return 0;
  },
  expr,
  mountpoint: ({ args, write }) => {
    const { options, words } = readOptions(args);
    const isOne = /^\/(?:|dev|proc|run|sys)\/?$/.test(words[0] ?? "");
    if (!options.has("-q")) write(`${words[0]} is ${isOne ? "" : "not "}a mountpoint\n`);
    return isOne ? 0 : 32;
  },
  nohup: ({ args, run }) => run(args),
  nice: ({ args, run }) => run(args.filter((word, index) => index > 1 || !word.startsWith("-"))),
  uname,
  date: date(host.clock),
  which,
  nproc: ({ write }) => (write(`${host.request.hardware?.cpus ?? 2}\n`), 0),
  free: ({ write }) => (write(`Mem: ${host.request.hardware?.memoryMiB ?? 4096}\n`), 0),
  lsb_release: ({ args, disk, write }) => {
    const field = (name: string): string =>
      new RegExp(`^${name}="?([^"\n]*)`, "m").exec(disk.text("/etc/os-release") ?? "")?.[1] ?? "";
    const flags = args.join("");
    write(`${/c/.test(flags) ? field("VERSION_CODENAME") : /r/.test(flags) ? field("VERSION_ID") : field("ID")}\n`);
    return 0;
  },
  ip: ip(host),
  jq,
});
