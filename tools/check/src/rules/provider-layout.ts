import type { FileTree } from "../file-tree.ts";
import type { Finding, Rule } from "../repository.ts";

const roles = ["infra", "bootstrap", "controlplane", "object-store", "ipam"] as const;

const common = [
  "README.md",
  "package.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "vitest.config.ts",
  "src/index.ts",
];

const required: Readonly<Record<(typeof roles)[number] | "core", readonly string[]>> = {
  infra: ["src/provider.ts", "src/options.ts", "src/api.ts", "src/api", "src/cloud", "crds"],
  bootstrap: ["src/provider.ts", "src/options.ts", "src/api.ts", "src/api", "src/render", "crds"],
  controlplane: ["src/provider.ts", "src/options.ts", "src/api.ts", "src/api", "crds"],
  "object-store": [],
  ipam: ["src/provider.ts", "src/options.ts", "src/api.ts", "src/api", "crds"],
  core: ["src/provider.ts", "src/options.ts", "src/api.ts", "src/api", "crds"],
};

/**
 * Rooms that a provider has nothing for: machines that are claimed have no cloud but the management API, and their two families have a
 * room each, with `api` in it.
 */
const without: Readonly<Record<string, readonly string[]>> = {
  "infra-metal": ["src/cloud", "src/api"],
};

const pascal = (name: string): string =>
  name.replaceAll(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());

/** `infra-linode` is `createLinodeProvider`; the other roles keep theirs in the name. */
const factoryName = (name: string): string => `create${pascal(name.replace(/^infra-/, ""))}Provider`;

/**
 * Returns the exports required of its files: for programs by names of its own, and for the command that loads it by the
 * name of its role.
 */
const exported = (role: keyof typeof required, name: string): Readonly<Record<string, readonly string[]>> => {
  if (role === "object-store") return { "src/index.ts": ["createObjectStore"] };
  const factory = factoryName(name);
  return {
    "src/index.ts": [factory, `${factory.replace(/^create/, "")}Options`, "createProvider"],
  };
};

/** API groups of Cluster API, by the role whose providers have the kinds of it. CRD files begin with the group. */
const groups: Readonly<Record<string, keyof typeof required>> = {
  "infrastructure.cluster.x-k8s.io": "infra",
  "bootstrap.cluster.x-k8s.io": "bootstrap",
  "controlplane.cluster.x-k8s.io": "controlplane",
};

/** CRDs of another role's group: who installs one provider gets the kinds of that role, beside any provider of another. */
const strayCrds = (role: keyof typeof required, folder: string, tree: FileTree): readonly Finding[] =>
  tree.list(`${folder}/crds`).flatMap((file) => {
    const group = file.split("_", 1)[0] ?? "";
    const owner = groups[group];
    if (owner === undefined || owner === role) return [];
    const message = `kinds of ${group} belong to a package ${owner}-*`;
    return [{ rule: "provider-layout", where: `${folder}/crds/${file}`, message }];
  });

/** Every provider package looks the same: a reader knows the room for a line of code without asking. */
export const providerLayoutRule: Rule = ({ tree, packages }) =>
  packages.flatMap((entry): readonly Finding[] => {
    const role = entry.name === "core" ? "core" : roles.find((candidate) => entry.name.startsWith(`${candidate}-`));
    if (role === undefined || !entry.folder.startsWith("packages/")) return [];
    const missing = [...common, ...required[role]]
      .filter((path) => without[entry.name]?.includes(path) !== true)
      .filter((path) => !tree.exists(`${entry.folder}/${path}`))
      .map((path) => ({ rule: "provider-layout", where: entry.folder, message: `${path} is missing` }));
    const lacking = Object.entries(exported(role, entry.name)).flatMap(([file, names]) => {
      const text = tree.read(`${entry.folder}/${file}`);
      return text === undefined
        ? []
        : names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text)).map((name) => [file, name]);
    });
    return [
      ...missing,
      ...strayCrds(role, entry.folder, tree),
      ...lacking.map(([file, name]) => ({
        rule: "provider-layout",
        where: `${entry.folder}/${file}`,
        message: `${name} is not exported`,
      })),
    ];
  });
