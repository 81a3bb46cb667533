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
  infra: ["src/provider.ts", "src/options.ts", "src/api.ts", "src/api", "src/cloud", "src/sim.ts", "src/sim", "crds"],
  bootstrap: ["src/provider.ts", "src/options.ts", "src/api.ts", "src/api", "src/render", "crds"],
  controlplane: ["src/provider.ts", "src/options.ts", "src/api.ts", "src/api", "crds"],
  "object-store": [],
  ipam: ["src/provider.ts", "src/options.ts", "src/api.ts", "src/api", "crds"],
  core: ["src/provider.ts", "src/options.ts", "src/api.ts", "src/api", "crds"],
};

const pascal = (name: string): string =>
  name.replaceAll(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());

/** `infra-linode` is `createLinodeProvider`; the other roles keep theirs in the name. */
const factoryName = (name: string): string => `create${pascal(name.replace(/^infra-/, ""))}Provider`;

/** Every provider package looks the same: a reader knows the room for a line of code without asking. */
export const providerLayoutRule: Rule = ({ tree, packages }) =>
  packages.flatMap((entry): readonly Finding[] => {
    const role = entry.name === "core" ? "core" : roles.find((candidate) => entry.name.startsWith(`${candidate}-`));
    if (role === undefined || !entry.folder.startsWith("packages/")) return [];
    const missing = [...common, ...required[role]]
      .filter((path) => !tree.exists(`${entry.folder}/${path}`))
      .map((path) => ({ rule: "provider-layout", where: entry.folder, message: `${path} is missing` }));
    if (role === "object-store" || missing.some(({ message }) => message.startsWith("src/index"))) return missing;
    const index = tree.read(`${entry.folder}/src/index.ts`) ?? "";
    const factory = factoryName(entry.name);
    const names = [factory, `${factory.replace(/^create/, "")}Options`];
    return [
      ...missing,
      ...names
        .filter((name) => !new RegExp(`\\b${name}\\b`).test(index))
        .map((name) => ({
          rule: "provider-layout",
          where: `${entry.folder}/src/index.ts`,
          message: `${name} is not exported`,
        })),
    ];
  });
