import { CapstanError } from "@capstan/contract";
import type { ObjectStoreOpener, OutsideV1 } from "@capstan/contract/v1";
import type { OptionSettings } from "../options/set-option-flag.ts";
import { loadFactory, type LoadedFactory } from "./load-factory.ts";
import { objectStoreRole, ownNames } from "./module-role.ts";

/** Short names of the object stores that come with the command: those that are there when none are named. */
export const objectStoreNames: readonly string[] = ownNames(objectStoreRole);

const problem = ({ type, open }: Readonly<Record<string, unknown>>): string | undefined => {
  if (typeof type !== "string" || type === "") return "it has no type, by which Secrets select it";
  return typeof open === "function" ? undefined : "it has no function open(data)";
};

/** Loads the modules of object stores; nothing is made yet. */
export const loadObjectStores = (
  names: readonly string[],
  cwd: string = process.cwd(),
): Promise<readonly LoadedFactory<OutsideV1, ObjectStoreOpener>[]> =>
  Promise.all(names.map((name) => loadFactory<OutsideV1, ObjectStoreOpener>(objectStoreRole, name, { cwd, problem })));

/** Loads and makes object stores, with the options that `settings` has. Throws what their factories throw, `module.name_taken`. */
export const createObjectStores = async (
  names: readonly string[],
  outside: OutsideV1,
  { cwd, settings }: { readonly cwd?: string; readonly settings?: OptionSettings | undefined } = {},
): Promise<readonly ObjectStoreOpener[]> => {
  const factories = await loadObjectStores(names, cwd);
  const stores = await Promise.all(factories.map(({ make }) => make(outside, settings)));
  const refuseTwo = (what: string, isSame: (one: ObjectStoreOpener, other: ObjectStoreOpener) => boolean): void => {
    for (const [index, store] of stores.entries()) {
      const first = stores.findIndex((other) => isSame(other, store));
      if (first === index || first < 0) continue;
      throw new CapstanError({
        code: "module.name_taken",
        reason: "NameTaken",
        message: `${factories[index]?.said}: ${what.replace("TYPE", store.type)} by ${factories[first]?.said}; name one of the two`,
        retry: { kind: "never" },
      });
    }
  };
  refuseTwo("stores of type TYPE are provided", (one, other) => one.type === other.type);
  refuseTwo("Secrets without a type are served", (one, other) => one.isDefault === true && other.isDefault === true);
  return stores;
};
