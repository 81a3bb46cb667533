import { templates, type Finding, type Package, type Rule, type SourceFile } from "../repository.ts";

/** Platform packages from the bottom up. A package imports only from layers below its own, and what `beside` allows. */
const layers: Readonly<Record<string, number>> = {
  schema: 0,
  "kube-values": 1,
  spdy: 1,
  "go-template": 1,
  cel: 2,
  "linode-client": 2,
  contract: 2,
  // Beside kube, not below the contract: its failures are the contract's CapstanError.
  pki: 3,
  kube: 3,
  evaluation: 3,
  runtime: 4,
  kit: 5,
  apiserver: 5,
  simulation: 5,
  guest: 6,
  testing: 7,
};

const provider = /^(infra|bootstrap|controlplane|object-store|ipam)-|^core$|^tinkerbell$/;
const providerLayer = 8;
const inspectLayer = 9;
const appLayer = 10;

/** Reading the state of objects takes what the objects are, and no client, manager or provider. */
const forInspect = new Set(["schema", "kube-values", "contract", "kube", "kit", "core"]);

/**
 * Packages that a provider may use at run time, which do not include the API server, internals of kube and other
 * providers. A control plane makes configs of its bootstrap provider, whose API is part of its own; a provider that
 * installs machines with Tinkerbell makes objects of its kinds.
 */
const forProviders = new Set([
  "schema",
  "kube-values",
  "pki",
  "contract",
  "kube",
  "runtime",
  "kit",
  "guest",
  "linode-client",
  "go-template",
  "evaluation",
  "tinkerbell",
]);

/** A simulator stands beside its provider, which does not import it, so that production has no simulator. */
const simulator = /^sim-/;
const simulatorLayer = 9;
const forSimulators = new Set(["schema", "kube-values", "pki", "contract", "simulation", "linode-client", "testing"]);
/** A simulated host runs the provider's agent, and a simulated account knows its script. */
const ofOwnProvider = (entry: Package, target: Package): boolean =>
  target.name === entry.name.replace(/^sim-/, "infra-");

/** The foundation of simulators does not talk to Kubernetes: simulators are used without it as well. */
const forSimulation = new Set(["schema", "kube-values", "pki", "contract"]);

/** The API server knows schemas, values of the API, the contract, expressions, how they are evaluated, and certificates, and nothing of controllers. */
const forApiServer = new Set(["schema", "kube-values", "pki", "contract", "cel", "evaluation", "kube", "spdy"]);

const layerOf = (entry: Package): number => {
  if (entry.folder.startsWith("apps/") && !entry.folder.startsWith(templates)) return appLayer;
  if (entry.folder.startsWith("tools/")) return appLayer + 1;
  if (entry.name === "inspect") return inspectLayer;
  if (simulator.test(entry.name)) return simulatorLayer;
  return provider.test(entry.name) ? providerLayer : (layers[entry.name] ?? -1);
};

/** Imports go one way, a provider never imports a provider, and nothing reaches into another package. */
export const layerRule: Rule = ({ packages }) => {
  const byName = new Map(packages.map((entry) => [entry.manifest.name, entry]));
  return packages.flatMap((entry) => {
    const own = layerOf(entry);
    if (own < 0) return [finding(entry.folder, `has no layer; add it to the table of the layer rule`)];
    return entry.files.flatMap((file) =>
      file.imports.flatMap(({ specifier, typeOnly, line }): readonly Finding[] => {
        const where = `${file.path}:${line}`;
        if (specifier.startsWith(".")) {
          return escapes(file.path, specifier, entry) ? [finding(where, `${specifier} leaves the package`)] : [];
        }
        const name = specifier
          .split("/")
          .slice(0, specifier.startsWith("@") ? 2 : 1)
          .join("/");
        const target = byName.get(name);
        const declared = { ...entry.manifest.dependencies, ...(file.test ? entry.manifest.devDependencies : {}) };
        const outside = target === undefined;
        if (outside) {
          const free = specifier.startsWith("node:") || file.test || entry.folder.startsWith("tools/");
          return free || name in declared
            ? []
            : [finding(where, `${name} is not a dependency of ${entry.manifest.name}`)];
        }
        if (target === entry || file.test) return [];
        const entryPoint = `.${specifier.slice(name.length)}`;
        if (target.manifest.exports?.[entryPoint] === undefined && !entry.folder.startsWith("tools/")) {
          return [finding(where, `${specifier} is not an entry of ${name}`)];
        }
        if (!(name in declared)) return [finding(where, `${name} is not a dependency of ${entry.manifest.name}`)];
        return allowed(entry, own, target, file, typeOnly)
          ? []
          : [finding(where, `${entry.name} may not import ${target.name}`)];
      }),
    );
  });
};

const allowed = (entry: Package, own: number, target: Package, file: SourceFile, typeOnly: boolean): boolean => {
  if (own >= appLayer) return true;
  // Of an author's package, which has its simulator with it.
  if (own === providerLayer && target.name === "simulation" && entry.folder.startsWith(templates)) {
    return /\/src\/sim(?:\/|\.ts$)/.test(file.path);
  }
  if (own === simulatorLayer && simulator.test(entry.name)) {
    return forSimulators.has(target.name) || ofOwnProvider(entry, target);
  }
  if (own === providerLayer && target.name === entry.name.replace(/^controlplane-/, "bootstrap-")) return true;
  if (own === providerLayer) return forProviders.has(target.name);
  if (own === inspectLayer) return forInspect.has(target.name) && (target.name !== "kube" || typeOnly);
  if (entry.name === "apiserver") return forApiServer.has(target.name) && (target.name !== "kube" || typeOnly);
  if (entry.name === "simulation") return forSimulation.has(target.name);
  return layerOf(target) < own;
};

const escapes = (path: string, specifier: string, entry: Package): boolean => {
  if (specifier.endsWith("/vitest.shared.ts")) return false;
  const depth = path.slice(entry.folder.length + 1).split("/").length - 1;
  return (specifier.match(/\.\.\//g) ?? []).length > depth;
};

const finding = (where: string, message: string): Finding => ({ rule: "layers", where, message });
