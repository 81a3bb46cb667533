import type { Clock } from "@capstan/contract";
import type { Internet, WayTo } from "../internet/internet.ts";
import { portOf } from "../network/passage.ts";
import { readOptions, type UnixContext, type UnixProgram, type UnixPrograms } from "../unix/program.ts";
import { unescaped } from "../unix/escapes.ts";
import { curlUpload } from "./upload.ts";

interface FetchHost {
  readonly internet: Internet;
  readonly wayTo: WayTo;
  readonly clock: Clock;
}

const valued = [
  ..."-o -H -d -X -m -u -A -b -e -w -x -T -E -r -C -y -Y -z".split(" "),
  ..."--output --header --data --request --max-time --connect-timeout --retry --retry-delay --retry-max-time --user --user-agent --cacert".split(
    " ",
  ),
  ..."--cert --key --write-out --proxy --upload-file --resolve --output-dir --noproxy --data-binary --tlsv".split(" "),
];

const withScheme = (url: string): string => (/^[a-z]+:\/\//.test(url) ? url : `http://${url}`);

const nameIn = (url: string): string => new URL(url).pathname.split("/").at(-1) ?? "";

/** The addresses that one with `{a,b}` or `[1-3]` stands for. */
const globbed = (url: string): readonly string[] => {
  const [whole = "", names, first, last] = /\{([^{}]*,[^{}]*)\}|\[(\d+)-(\d+)\]/.exec(url) ?? [];
  if (whole === "") return [url];
  const count = Math.min(Number(last) - Number(first) + 1, 100);
  const parts = names?.split(",") ?? Array.from({ length: count }, (_, index) => String(Number(first) + index));
  return parts.flatMap((part) => globbed(url.replace(whole, () => part)));
};

interface Order {
  readonly follows: boolean;
  readonly fails: boolean;
  readonly isQuiet: boolean;
  /** Is told the address that was answered in the end. */
  readonly follow?: (address: string) => void;
}

/** Returns the content at an address, or the exit code of curl if there is none. */
const fetched = (
  url: string,
  order: Order,
  { host, context }: { readonly host: FetchHost; readonly context: UnixContext },
): string | number => {
  const say = (status: number, text: string): number => {
    if (!order.isQuiet) context.streams.err(`curl: (${status}) ${text}\n`);
    return status;
  };
  if (!URL.canParse(withScheme(url))) return say(3, "URL rejected: Malformed input to a URL function");
  const address = new URL(withScheme(url));
  const { hostname } = address;
  if (address.protocol === "file:") {
    return context.disk.text(address.pathname) ?? say(37, `Couldn't open file ${address.pathname}`);
  }
  const answer = host.internet.get(address.href);
  if (answer.kind === "unresolved") return say(6, `Could not resolve host: ${hostname}`);
  if (answer.kind === "dropped") {
    return say(
      28,
      `Failed to connect to ${hostname} port ${portOf(address)} after ${connectMs} ms: Connection timed out`,
    );
  }
  if (/^(?:\d+\.){3}\d+$|^localhost$|^\[/.test(hostname)) {
    return say(7, `Failed to connect to ${hostname} port ${portOf(address)} after 0 ms: Couldn't connect to server`);
  }
  if (order.fails && answer.status >= 400) return say(22, `The requested URL returned error: ${answer.status}`);
  if (order.follows) order.follow?.(answer.leadsTo ?? address.href);
  if (answer.redirects && !order.follows) return '<a href="https://cdn.invalid/">Found</a>.\n';
  return answer.body;
};

/** Time that the kernel tries to connect. The model reports it without waiting. */
const connectMs = 130_000;

/** An upload is a real request, where nothing on the way drops it. */
const uploaded = (url: string, host: FetchHost, context: UnixContext): number | Promise<number> => {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || host.wayTo(address) === "open") {
    return curlUpload(host.clock)(context);
  }
  const failure = `Failed to connect to ${address.hostname} port ${portOf(address)} after ${connectMs} ms: Connection timed out`;
  context.streams.err(`curl: (28) ${failure}\n`);
  return 28;
};

const write = (context: UnixContext, path: string, body: string): number => {
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) || "/" : ".";
  if (path === "/dev/null") return 0;
  if (path === "-") return (context.write(body), 0);
  if (!context.disk.isDirectory(folder)) {
    context.streams.err(`curl: (23) client returned ERROR on write, Failed writing body\n`);
    return 23;
  }
  context.disk.write(path, body);
  return 0;
};

/** Returns whether curl's settings file has `show-error`. */
const showsErrors = ({ disk }: UnixContext): boolean => /^show-error$/m.test(disk.text("/root/.curlrc") ?? "");

/** Returns the text that `--write-out` prints after a transfer. */
const filled = (format: string, { code, effective }: { readonly code: string; readonly effective: string }): string =>
  unescaped(format)
    .replaceAll("%{url_effective}", effective)
    .replaceAll(/%\{(?:http_code|response_code)\}/g, code);

const curl =
  (host: FetchHost): UnixProgram =>
  async (context) => {
    const { options, words } = readOptions(context.args, valued);
    const has = (...names: readonly string[]): boolean => names.some((name) => options.has(name));
    if (has("-T", "--upload-file")) return uploaded(words[0] ?? "", host, context);
    let effective: string | undefined;
    const order: Order = {
      follow: (address) => void (effective = address),
      follows: has("-L", "--location"),
      fails: has("-f", "--fail", "--fail-with-body"),
      isQuiet: has("-s", "--silent") && !has("-S", "--show-error") && !showsErrors(context),
    };
    if (words.length === 0) {
      context.streams.err("curl: (2) no URL specified\n");
      return 2;
    }
    const output = options.get("-o") ?? options.get("--output");
    const format = options.get("-w") ?? options.get("--write-out") ?? "";
    let status = 0;
    const isLiteral = has("-g", "--globoff");
    for (const url of words.flatMap((word) => (isLiteral ? [word] : globbed(word)))) {
      const body = fetched(url, order, { host, context });
      if (typeof body === "number") {
        status = body;
        context.write(filled(format, { effective: url, code: body === 22 ? "404" : "000" }));
        continue;
      }
      const byName = has("-O", "--remote-name", "--remote-name-all") ? nameIn(withScheme(url)) : "-";
      const written = write(context, output ?? byName, body);
      if (written !== 0) status = written;
      context.write(filled(format, { effective: effective ?? url, code: "200" }));
    }
    return status;
  };

const wget =
  (host: FetchHost): UnixProgram =>
  (context) => {
    const { options, words } = readOptions(context.args, [
      "-O",
      "-P",
      "-o",
      "-T",
      "-t",
      "--timeout",
      "--tries",
      "--header",
      "--output-document",
      "--directory-prefix",
    ]);
    let status = 0;
    for (const url of words) {
      const address = new URL(withScheme(url));
      const answer = host.internet.get(address.href);
      if (answer.kind === "unresolved") {
        context.streams.err(`wget: unable to resolve host address '${address.hostname}'\n`);
        status = 4;
      } else if (answer.kind === "dropped") {
        context.streams.err(`failed: Connection timed out.\n`);
        status = 4;
      } else if (answer.status >= 400) {
        context.streams.err(`ERROR ${answer.status}: Not Found.\n`);
        status = 8;
      } else {
        const folder = options.get("-P") ?? options.get("--directory-prefix");
        const path =
          options.get("-O") ??
          options.get("--output-document") ??
          `${folder === undefined ? "" : `${folder}/`}${nameIn(address.href)}`;
        status = write(context, path, answer.body);
      }
    }
    return status;
  };

/** The programs that fetch from the internet. */
export const fetchPrograms = (host: FetchHost): UnixPrograms => ({ curl: curl(host), wget: wget(host) });
