import { repositoryAt } from "../internet/repositories.ts";
import { readOptions, type UnixContext, type UnixProgram, type UnixPrograms } from "../unix/program.ts";
import type { PackageManagerHost } from "./apt.ts";
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

interface RpmRepository {
  readonly id: string;
  readonly url: string;
  readonly isEnabled: boolean;
  readonly gpgKey: string | undefined;
  readonly excluded: readonly string[];
}

const readRepositories = ({ disk }: PackageTarget): readonly RpmRepository[] =>
  disk
    .paths()
    .filter((path) => /^\/etc\/(?:yum\.repos\.d|zypp\/repos\.d)\/[^/]+\.repo$/.test(path))
    .flatMap((path) =>
      (disk.text(path) ?? "").split(/^(?=\[)/m).flatMap((section): readonly RpmRepository[] => {
        const id = /^\[(.+)\]/.exec(section)?.[1];
        const field = (name: string): string | undefined =>
          new RegExp(`^${name}\\s*=\\s*(.*)$`, "m").exec(section)?.[1]?.trim();
        if (id === undefined) return [];
        const excluded = (field("exclude") ?? field("excludepkgs") ?? "").split(/[\s,]+/).filter((name) => name !== "");
        const gpgKey = field("gpgcheck") === "1" ? field("gpgkey") : undefined;
        return [{ id, url: field("baseurl") ?? "", isEnabled: field("enabled") !== "0", gpgKey, excluded }];
      }),
    );

/** Returns the packages in the machine's repositories. Throws in the words of `dnf`. */
const availableIn = (
  host: PackageManagerHost,
  disabledExcludes: string | undefined,
  without: readonly string[],
): readonly Package[] =>
  readRepositories(host).flatMap(({ excluded, gpgKey, id, isEnabled, url }) => {
    if (!isEnabled || without.includes(id)) return [];
    const repository = repositoryAt(url);
    const address = URL.canParse(url) ? new URL(url) : undefined;
    const way = address === undefined ? "unresolved" : host.internet.reach(address);
    if (way !== "open") {
      const problem =
        way === "dropped"
          ? `Curl error (28): Timeout was reached for ${url}/repodata/repomd.xml [Connection timed out after 30000 milliseconds]`
          : `Curl error (6): Could not resolve host: ${address?.host ?? url}`;
      throw new Error(`Error: Failed to download metadata for repo '${id}': Cannot download repomd.xml: ${problem}`);
    }
    if (repository === undefined) {
      throw new Error(
        `Error: Failed to download metadata for repo '${id}': Cannot download repomd.xml: Status code: 404 for ${url}/repodata/repomd.xml`,
      );
    }
    if (gpgKey !== undefined && gpgKey.startsWith("http")) {
      const answer = host.internet.get(gpgKey);
      if (answer.kind !== "answer" || answer.status !== 200) {
        throw new Error(`Error: Failed to retrieve GPG key for repo '${id}': ${gpgKey}`);
      }
    }
    const counts = disabledExcludes === "all" || disabledExcludes === id || disabledExcludes === "main";
    return repository.packages.filter((each) => counts || !excluded.includes(each.name));
  });

/** `kubelet-1.34.2`, `kubelet-1.34.2-150500.1.1`, `kubelet`. */
const find = (word: string, available: readonly Package[]): Chosen | undefined => {
  for (const each of available) {
    if (word === each.name) return { package: each, version: each.versions[0] ?? "" };
    if (!word.startsWith(`${each.name}-`)) continue;
    const wanted = word.slice(each.name.length + 1).replace(/\.(?:x86_64|\*)$/, "");
    const version = chooseVersion(each, wanted) ?? chooseVersion(each, `${wanted}-*`);
    if (version !== undefined) return { package: each, version };
  }
  return undefined;
};

const isInstalled = (name: string, { disk, software }: PackageTarget): boolean =>
  installedPackages(disk).has(name) || software.programs.has(name);

/** Installs what words ask for; the words for which there is nothing. */
const install = (
  host: PackageManagerHost,
  words: readonly string[],
  available: readonly Package[],
  { write }: UnixContext,
): readonly string[] => {
  const chosen = words.map((word) => ({ word, found: find(word.replace(/=/, "-"), available) }));
  const missing = chosen
    .filter(({ found, word }) => found === undefined && !isInstalled(word, host))
    .map(({ word }) => word);
  if (missing.length > 0) return missing;
  const wanted = chosen.flatMap(({ found }) => (found === undefined ? [] : [found]));
  for (const each of withDependencies(
    wanted,
    (name) => available.find((other) => other.name === name),
    (name) => isInstalled(name, host),
  )) {
    write(`Installing: ${each.package.name}-${each.version}\n`);
    installPackage(host, each, { starts: false });
  }
  return [];
};

const dnf =
  (host: PackageManagerHost): UnixProgram =>
  (context) => {
    const { options, words } = readOptions(context.args, ["--disablerepo", "--enablerepo"]);
    const [verb = "", ...names] = words;
    const say = (text: string): number => (context.streams.err(`${text}\n`), 1);
    try {
      if (verb === "install") {
        if (!options.has("-y") && !options.has("--assumeyes")) return say("Operation aborted.");
        const available = availableIn(
          host,
          options.get("--disableexcludes"),
          (options.get("--disablerepo") ?? "").split(","),
        );
        const missing = install(host, names, available, context);
        return missing.length === 0 ? 0 : say(`Error: Unable to find a match: ${missing.join(" ")}`);
      }
      if (verb === "config-manager") {
        const url = options.has("--add-repo") ? names[0] : undefined;
        const answer = url === undefined ? undefined : host.internet.get(url);
        if (answer?.kind === "answer" && answer.status === 200) {
          context.disk.write(`/etc/yum.repos.d/${url?.split("/").at(-1)}`, answer.body);
        }
        return answer !== undefined && (answer.kind !== "answer" || answer.status !== 200)
          ? say(`Error: Configuration of repo failed`)
          : 0;
      }
      if (verb === "list") {
        const there = names.filter((name) => installedPackages(host.disk).has(name) && !options.has("--upgrades"));
        for (const name of there) context.write(`${name} ${installedPackages(host.disk).get(name)} @system\n`);
        return there.length > 0 ? 0 : say("Error: No matching Packages to list");
      }
      if (verb === "remove") for (const name of names) removeNamed(host, name);
      return [
        "update",
        "upgrade",
        "makecache",
        "clean",
        "remove",
        "versionlock",
        "check-update",
        "repolist",
        "module",
      ].includes(verb)
        ? 0
        : say(`No such command: ${verb}.`);
    } catch (error) {
      return say((error as Error).message);
    }
  };

const removeNamed = (host: PackageManagerHost, name: string): void => {
  const found = availableIn(host, "all", []).find((each) => each.name === name);
  if (found !== undefined && installedPackages(host.disk).has(name)) removePackage(host, found);
};

const zypper =
  (host: PackageManagerHost): UnixProgram =>
  (context) => {
    const { options, words } = readOptions(context.args, ["-r", "--repo"]);
    const [verb = "", ...names] = words;
    const say = (text: string, status: number): number => (context.streams.err(`${text}\n`), status);
    try {
      if (verb === "addrepo" || verb === "ar") {
        const [url = "", alias = "added"] = names;
        context.disk.write(`/etc/zypp/repos.d/${alias}.repo`, `[${alias}]\nbaseurl=${url}\nenabled=1\n`);
        return 0;
      }
      if (verb === "install" || verb === "in") {
        const isYes = ["-y", "-n", "--non-interactive", "--no-confirm"].some((name) => options.has(name));
        if (!isYes) return say("Continue? [y/n/v/...? shows all options] (y): ABORT request.", 4);
        const missing = install(host, names, [...availableIn(host, "all", []), ...systemOf()], context);
        return missing.length === 0 ? 0 : say(missing.map((name) => `No provider of '${name}' found.`).join("\n"), 104);
      }
      return ["refresh", "ref", "update", "up", "patch", "addlock", "al", "clean", "--gpg-auto-import-keys"].includes(
        verb,
      )
        ? 0
        : say(`Unknown command '${verb}'`, 1);
    } catch (error) {
      return say((error as Error).message, 106);
    }
  };

/** `rpm -q NAME`, which scripts ask for what is there. */
const rpm =
  (host: PackageManagerHost): UnixProgram =>
  ({ args, write }) => {
    const { options, words } = readOptions(args);
    if (!options.has("-q") && !options.has("--query")) return 0;
    let missing = 0;
    for (const name of words) {
      const isThere = isInstalled(name, host);
      const version = installedPackages(host.disk).get(name) ?? "1.0";
      if (!isThere) missing += 1;
      if (options.has("--quiet")) continue;
      write(isThere ? `${name}-${version}.x86_64\n` : `package ${name} is not installed\n`);
    }
    return missing;
  };

/** Returns the packages in the system's own repositories, which have no file in the model. */
const systemOf = (): readonly Package[] => repositoryAt("https://repo.system.invalid/")?.packages ?? [];

/** The programs with which the families of Red Hat and SUSE install packages. */
export const rpmPrograms = (host: PackageManagerHost): UnixPrograms => ({
  dnf: dnf(host),
  yum: dnf(host),
  microdnf: dnf(host),
  "yum-config-manager": (context) => dnf(host)({ ...context, args: ["config-manager", ...context.args] }),
  zypper: zypper(host),
  rpm: rpm(host),
});
