import { CapstanError } from "@capstan/contract";
import type { OutsideV1, ProviderV1 } from "@capstan/contract/v1";
import type { OptionSettings } from "../options/set-option-flag.ts";
import { loadFactory, type LoadedFactory } from "./load-factory.ts";
import { ownNames, providerRole, type ModuleRole } from "./module-role.ts";

/** Short names of the providers that come with the command: those that run when none are named. */
export const providerNames: readonly string[] = ownNames(providerRole);

type ProviderFactory = LoadedFactory<OutsideV1, ProviderV1>;

/** Accounts, roles and Leases are named after it, with as much again beside it. */
const providerName = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

const isResource = (kind: unknown): boolean => {
  const fields = (typeof kind === "object" && kind !== null ? kind : {}) as Readonly<Record<string, unknown>>;
  return ["group", "version", "kind", "plural"].every((name) => typeof fields[name] === "string");
};

const isFlavor = (flavor: unknown): boolean => {
  const fields = (typeof flavor === "object" && flavor !== null ? flavor : {}) as Readonly<Record<string, unknown>>;
  return ["name", "description", "bootstrap", "template"].every((name) => typeof fields[name] === "string");
};

const problem = (made: Readonly<Record<string, unknown>>): string | undefined => {
  const { name, kinds, register, webhooks = [], flavors = [] } = made;
  if (typeof name !== "string" || !providerName.test(name)) {
    return `its name is ${JSON.stringify(name)}; it must be up to 40 lowercase letters, digits and hyphens such as infra-acme`;
  }
  if (!Array.isArray(kinds) || !kinds.every(isResource)) return "its kinds must be a list of kinds of @capstan/schema";
  if (!Array.isArray(webhooks)) return "its webhooks must be a list, or absent";
  if (!Array.isArray(flavors) || !flavors.every(isFlavor)) {
    return "its flavors must be a list, each with name, description, bootstrap and template, or absent";
  }
  return typeof register === "function" ? undefined : "it has no function register(host)";
};

/** Loads the modules of providers; nothing is made yet. */
export const loadProviders = (
  names: readonly string[],
  { cwd = process.cwd(), role = providerRole }: { readonly cwd?: string; readonly role?: ModuleRole } = {},
): Promise<readonly ProviderFactory[]> =>
  Promise.all(names.map((name) => loadFactory<OutsideV1, ProviderV1>(role, name, { cwd, problem })));

const taken = (code: string, reason: string, message: string): CapstanError =>
  new CapstanError({ code, reason, message, retry: { kind: "never" } });

/** No two have one name, which their accounts and Leases would share, nor one kind, which both would work on. */
const checkTogether = (factories: readonly ProviderFactory[], providers: readonly ProviderV1[]): void => {
  const owners = new Map<string, string>();
  const claim = (what: string, said: string, refuse: (other: string) => CapstanError): void => {
    const other = owners.get(what);
    if (other !== undefined) throw refuse(other);
    owners.set(what, said);
  };
  for (const [index, { name, kinds }] of providers.entries()) {
    const said = factories[index]?.said ?? name;
    claim(name, said, (other) =>
      taken(
        "module.name_taken",
        "NameTaken",
        `${said}: provider ${name} is already loaded from ${other}; name one of the two`,
      ),
    );
    for (const { group, kind, plural } of kinds) {
      claim(`${plural}.${group}`, said, (other) =>
        taken(
          "module.kind_taken",
          "KindTaken",
          `${said}: ${kind} of ${group} is also a kind of ${other}; run one of the two`,
        ),
      );
    }
  }
};

/** Makes the providers, with the options that `settings` has. Throws what their factories throw, `module.name_taken`, `module.kind_taken`. */
export const makeProviders = async (
  factories: readonly ProviderFactory[],
  outside: OutsideV1,
  settings?: OptionSettings,
): Promise<readonly ProviderV1[]> => {
  const providers = await Promise.all(factories.map(({ make }) => make(outside, settings)));
  checkTogether(factories, providers);
  return providers;
};

/** Loads and makes providers. */
export const createProviders = async (
  names: readonly string[],
  outside: OutsideV1,
  options: Parameters<typeof loadProviders>[1] & { readonly settings?: OptionSettings | undefined } = {},
): Promise<readonly ProviderV1[]> => makeProviders(await loadProviders(names, options), outside, options.settings);
