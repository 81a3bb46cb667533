import { own } from "@capstan/schema";
import { fitsPattern } from "../unix/pattern.ts";
import { readOptions, type UnixContext, type UnixProgram, type UnixPrograms } from "../unix/program.ts";
import { keyMark, repositoryAt } from "../internet/repositories.ts";
import { portOf } from "../network/passage.ts";
import type { Internet } from "../internet/internet.ts";
import { compareDebianVersions } from "./debian-version.ts";
import { isBinaryKey } from "./keys.ts";
import { readSources, type AptSource } from "./apt-sources.ts";
import {
  chooseVersion,
  type Chosen,
  installedPackages,
  installPackage,
  type PackageTarget,
  removePackage,
  withDependencies,
} from "./installed.ts";
import type { Package } from "../packages/package.ts";

/** The machine that a package manager works on. */
export interface PackageManagerHost extends PackageTarget {
  readonly internet: Internet;
}

const lists = "/var/lib/apt/lists/";
const holds = "/var/lib/dpkg/holds";

const urlOf = ({ suite, url }: AptSource): string =>
  suite.endsWith("/") ? url : `${url.replace(/\/$/, "")}/${suite}/`;

/** Returns whether a key can be used from that file: by its name apt tells the form. */
const isKey = (path: string, text = ""): boolean =>
  path.endsWith(".asc") ? text.startsWith(keyMark) : isBinaryKey(text);

const isSigned = ({ signedBy, isTrusted }: AptSource, { disk }: PackageTarget): boolean => {
  if (isTrusted) return true;
  if (signedBy !== undefined) return isKey(signedBy, disk.text(signedBy));
  return disk.paths().some((path) => path.startsWith("/etc/apt/trusted.gpg") && isKey(path, disk.text(path)));
};

const update = (context: UnixContext, host: PackageManagerHost): number => {
  const { disk, streams, write } = context;
  let failures = "";
  let warnings = "";
  for (const [index, source] of readSources(disk).entries()) {
    const url = urlOf(source);
    const address = new URL(source.url);
    const { host: name } = address;
    const said = `${source.url} ${source.suite}`;
    const repository = repositoryAt(url);
    const way = host.internet.reach(address);
    if (way !== "open") {
      const problem =
        way === "dropped"
          ? `Could not connect to ${name}:${portOf(address)}, connection timed out`
          : `Could not resolve '${name}'`;
      write(`Err:${index + 1} ${said} InRelease\n  ${problem}\n`);
      warnings += `W: Failed to fetch ${url}InRelease  ${problem}\nW: Some index files failed to download. They have been ignored, or old ones used instead.\n`;
    } else if (repository === undefined) {
      failures += `E: The repository '${said} Release' does not have a Release file.\n`;
    } else if (!repository.isOfSystem && !isSigned(source, host)) {
      warnings += `W: GPG error: ${said} InRelease: The following signatures couldn't be verified because the public key is not available: NO_PUBKEY 234654DA9A296436\n`;
      failures += `E: The repository '${said} InRelease' is not signed.\n`;
    } else {
      write(`Get:${index + 1} ${said} InRelease\n`);
      disk.write(`${lists}${encodeURIComponent(url)}`, "");
    }
  }
  write("Reading package lists...\n");
  streams.err(`${warnings}${failures}`);
  return failures === "" ? 0 : 100;
};

/** Returns the packages in the fetched lists, newest repository first. */
const availableIn = ({ disk }: PackageTarget): readonly Package[] =>
  disk
    .paths()
    .filter((path) => path.startsWith(lists))
    .flatMap((path) => repositoryAt(decodeURIComponent(path.slice(lists.length)))?.packages ?? [])
    .toSorted((left, right) =>
      (right.versions[0] ?? "").localeCompare(left.versions[0] ?? "", "en", { numeric: true }),
    );

const heldIn = ({ disk }: PackageTarget): readonly string[] =>
  (disk.text(holds) ?? "").split("\n").filter((line) => line !== "");

const isInstalled = (name: string, { disk, software }: PackageTarget): boolean =>
  installedPackages(disk).has(name) || software.programs.has(name);

/** The packages that words ask for. Throws with apt's words. */
const asked = (words: readonly string[], available: readonly Package[], host: PackageTarget): readonly Chosen[] =>
  words.flatMap((word): readonly Chosen[] => {
    const [name = "", wanted] = word.split("=", 2);
    if (name.endsWith(".deb")) throw new Error(`E: Unsupported file ${name} given on commandline`);
    const named = available.filter(
      (each) => each.name === name || (name.includes("*") && fitsPattern(name, each.name)),
    );
    if (named.length === 0) {
      if (wanted === undefined && isInstalled(name, host)) return [];
      throw new Error(`E: Unable to locate package ${name}`);
    }
    for (const each of named) {
      const version = chooseVersion(each, wanted);
      if (version !== undefined) return [{ package: each, version }];
    }
    throw new Error(`E: Version '${wanted}' for '${name}' was not found`);
  });

const isOlder = (version: string, than: string): boolean => compareDebianVersions(version, than) < 0;

const install = (
  context: UnixContext,
  host: PackageManagerHost,
  words: readonly string[],
  options: ReadonlyMap<string, string>,
): number => {
  const { disk, streams, write } = context;
  const refuse = (text: string): number => (streams.err(`${text}\n`), 100);
  write("Reading package lists...\nBuilding dependency tree...\n");
  const available = availableIn(host);
  const wanted = asked(words, available, host);
  const present = installedPackages(disk);
  const changed = wanted.filter(({ package: { name }, version }) => {
    const now = present.get(name);
    return (
      now !== version &&
      !(now !== undefined && !words.some((word) => word.startsWith(`${name}=`)) && isOlder(version, now))
    );
  });
  const all = withDependencies(
    changed,
    (name) => available.find((each) => each.name === name),
    (name) => isInstalled(name, host),
  );
  const isYes = ["-y", "--yes", "--assume-yes", "-qq"].some((name) => options.has(name)) || options.get("-q") === "2";
  if (!isYes && all.length > changed.length) {
    write("Do you want to continue? [Y/n] Abort.\n");
    return 1;
  }
  const held = changed.filter(({ package: { name } }) => heldIn(host).includes(name));
  if (held.length > 0 && !options.has("--allow-change-held-packages") && !options.has("--force-yes")) {
    return refuse("E: Held packages were changed and -y was used without --allow-change-held-packages.");
  }
  const isDowngrade = changed.some(({ package: { name }, version }) => isOlder(version, present.get(name) ?? version));
  if (isDowngrade && !options.has("--allow-downgrades")) {
    return refuse("E: Packages were downgraded and -y was used without --allow-downgrades.");
  }
  for (const {
    package: { name },
    version,
  } of wanted) {
    if (!all.some((each) => each.package.name === name)) write(`${name} is already the newest version (${version}).\n`);
  }
  for (const each of all) {
    write(`Setting up ${each.package.name} (${each.version}) ...\n`);
    installPackage(host, each, { starts: true });
  }
  return 0;
};

const remove = (host: PackageManagerHost, words: readonly string[]): number => {
  for (const name of words) {
    const found = availableIn(host).find((each) => each.name === name);
    if (found !== undefined && installedPackages(host.disk).has(name)) removePackage(host, found);
  }
  return 0;
};

const apt =
  (host: PackageManagerHost): UnixProgram =>
  (context) => {
    const { options, words } = readOptions(context.args, ["-o", "-t", "--option", "-c"]);
    const [verb = "", ...rest] = words;
    try {
      switch (verb) {
        case "update":
          return update(context, host);
        case "install":
        case "reinstall":
          return install(context, host, rest, options);
        case "upgrade":
        case "dist-upgrade":
        case "full-upgrade":
        case "autoremove":
        case "clean":
        case "autoclean":
        case "build-dep":
          return 0;
        case "remove":
        case "purge":
          return remove(host, rest);
        default:
          context.streams.err(`E: Invalid operation ${verb}\n`);
          return 100;
      }
    } catch (error) {
      context.streams.err(`${(error as Error).message}\n`);
      return 100;
    }
  };

const mark =
  (host: PackageManagerHost): UnixProgram =>
  ({ args: [verb, ...names], disk, streams, write }) => {
    const present = new Set(heldIn(host));
    for (const name of verb === "hold" || verb === "unhold" ? names : []) {
      if (!isInstalled(name, host)) {
        streams.err(`E: Unable to locate package ${name}\nE: No packages found\n`);
        return 100;
      }
      if (verb === "hold") present.add(name);
      else present.delete(name);
      write(`${name} ${verb === "hold" ? "set on hold" : "was already not on hold"}.\n`);
    }
    if (verb === "showhold") write([...present].map((name) => `${name}\n`).join(""));
    disk.write(holds, [...present].map((name) => `${name}\n`).join(""));
    return 0;
  };

/** The versions that a package has, as `madison` and `policy` show them. */
const cache =
  (host: PackageManagerHost): UnixProgram =>
  ({ args: [verb, ...names], write }) => {
    for (const each of availableIn(host).filter(({ name }) => names.includes(name))) {
      if (verb === "madison") {
        for (const version of each.versions) write(`   ${each.name} | ${version} | https://pkgs.k8s.io  Packages\n`);
      } else {
        write(
          `${each.name}:\n  Installed: ${installedPackages(host.disk).get(each.name) ?? "(none)"}\n  Candidate: ${each.versions[0]}\n`,
        );
      }
    }
    return 0;
  };

/** Statuses of `dpkg --compare-versions`, by its operators. */
const relations: Readonly<Record<string, (order: number) => boolean>> = {
  lt: (order) => order < 0,
  le: (order) => order <= 0,
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  ge: (order) => order >= 0,
  gt: (order) => order > 0,
};

const dpkg =
  (host: PackageManagerHost): UnixProgram =>
  ({ args, fail, write }) => {
    if (args.includes("--print-architecture")) write("amd64\n");
    else if (args[0] === "--configure") return 0;
    else if (args[0] === "--compare-versions") {
      const [, one = "", relation = "", other = ""] = args;
      const holds = own(relations, relation);
      if (holds === undefined) return fail(`error: --compare-versions bad relation`, 2);
      return holds(compareDebianVersions(one, other)) ? 0 : 1;
    } else if (args[0] === "-l" || args[0] === "-s" || args[0] === "-W") {
      const present = installedPackages(host.disk);
      const names = args.slice(1).filter((word) => !word.startsWith("-"));
      for (const name of names.length === 0 ? present.keys() : names) {
        const version = present.get(name);
        if (version === undefined) return fail(`no packages found matching ${name}`);
        write(`ii  ${name} ${version}\n`);
      }
    } else return fail("only --print-architecture, --compare-versions, -l, -s and -W are modelled", 2);
    return 0;
  };

/** The programs with which Debian and Ubuntu install packages. */
export const aptPrograms = (host: PackageManagerHost): UnixPrograms => ({
  apt: apt(host),
  "apt-get": apt(host),
  "apt-mark": mark(host),
  "apt-cache": cache(host),
  "apt-key": ({ args, disk, fail, input }) => {
    if (args[0] !== "add") return fail("only add is modelled", 2);
    const text = args[1] === undefined || args[1] === "-" ? input.all() : (disk.text(args[1]) ?? "");
    if (!text.startsWith(keyMark)) return fail("gpg: no valid OpenPGP data found.", 2);
    disk.write("/etc/apt/trusted.gpg.d/added.asc", text);
    return 0;
  },
  "add-apt-repository": ({ args, disk }) => {
    const [line] = args.filter((word) => !word.startsWith("-"));
    if (line?.startsWith("deb ") === true) disk.write("/etc/apt/sources.list.d/added.list", `${line}\n`);
    return 0;
  },
  dpkg: dpkg(host),
  "dpkg-query": dpkg(host),
  snap: ({ args, streams }) => {
    const [verb, name = ""] = args.filter((word) => !word.startsWith("-"));
    if (verb !== "install") return 0;
    streams.err(`error: snap "${name}" not found\n`);
    return 1;
  },
});
