import { CapstanError, isCapstanError } from "@capstan/contract";
import type { OptionDeclarationV1 } from "@capstan/contract/v1";
import { optionValues } from "../options/option-value.ts";
import type { OptionSettings } from "../options/set-option-flag.ts";
import type { ModuleRole } from "./module-role.ts";
import { resolveModule, type ModulePlace } from "./resolve-module.ts";

/** The factory of a module that was loaded, still to be called. */
export interface LoadedFactory<Outside, Made> {
  /** As the command line named it, with its flag. */
  readonly said: string;
  readonly place: string;
  /** The options that it takes. Default: none. */
  readonly declaration?: OptionDeclarationV1;
  /**
   * `settings`: options of everything, of which it takes its own. Throws `option.unknown`,
   * `option.invalid`, `module.factory_failed`, `module.contract_unsupported`, `module.invalid`, and a `CapstanError` of the factory as it is.
   */
  readonly make: (outside: Outside, settings?: OptionSettings) => Promise<Made>;
}

/** Returns the first problem with the result of a factory. */
type Problem = (made: Readonly<Record<string, unknown>>) => string | undefined;

const supported = "v1";

const failure = (code: string, reason: string, message: string, cause?: unknown): CapstanError =>
  new CapstanError({ code, reason, message, retry: { kind: "never" }, ...(cause === undefined ? {} : { cause }) });

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const imported = async (said: string, module: ModulePlace): Promise<Readonly<Record<string, unknown>>> => {
  try {
    return (await module.import()) as Record<string, unknown>;
  } catch (error) {
    const message = `${said}: ${module.place} cannot be loaded: ${messageOf(error)}; build it, and install its dependencies`;
    throw failure("module.failed", "ModuleFailed", message, error);
  }
};

const checked = (made: unknown, { factory, makes }: ModuleRole, where: string, problem: Problem): void => {
  const isObject = typeof made === "object" && made !== null;
  const value = (isObject ? made : {}) as Readonly<Record<string, unknown>>;
  if (isObject && value["contract"] !== supported) {
    const message = `${where}: ${factory} returned a value for contract ${JSON.stringify(value["contract"])}, but this command supports "${supported}"; use a release of the module for "${supported}", or a command that supports its contract`;
    throw failure("module.contract_unsupported", "ContractUnsupported", message);
  }
  const wrong = isObject ? problem(value) : `it is ${made === null ? "null" : typeof made}`;
  if (wrong === undefined) return;
  throw failure("module.invalid", "ModuleInvalid", `${where}: ${factory} did not return a ${makes}: ${wrong}`);
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Returns the declaration that a factory carries by `withOptions`. */
const declarationOf = (
  factory: { readonly declaration?: unknown },
  { factory: name }: ModuleRole,
  where: string,
): OptionDeclarationV1 | undefined => {
  const { declaration } = factory;
  if (declaration === undefined) return undefined;
  if (isRecord(declaration) && typeof declaration["of"] === "string" && isRecord(declaration["options"])) {
    return declaration as unknown as OptionDeclarationV1;
  }
  const message = `${where}: the declaration of ${name} must have of and options; create it with withOptions of @capstan/contract/v1`;
  throw failure("module.invalid", "ModuleInvalid", message);
};

/** Loads a module and takes its factory. Throws `module.not_found`, `module.entry_missing`, `module.failed`, `module.export_missing`. */
export const loadFactory = async <Outside, Made>(
  role: ModuleRole,
  name: string,
  { cwd, problem }: { readonly cwd: string; readonly problem: Problem },
): Promise<LoadedFactory<Outside, Made>> => {
  const said = `${role.flag} ${name}`;
  const module = resolveModule(role, name, cwd);
  const exported = await imported(said, module);
  const where = `${said} (${module.place})`;
  const factory = exported[role.factory];
  if (typeof factory !== "function") {
    const names = Object.keys(exported).toSorted().join(", ") || "nothing";
    const message = `${where} exports ${names} and no function ${role.factory}; export ${role.factory}(outside): ${role.makes} of @capstan/contract/v1`;
    throw failure("module.export_missing", "ExportMissing", message);
  }
  const declaration = declarationOf(factory as { readonly declaration?: unknown }, role, where);
  return {
    said,
    place: module.place,
    ...(declaration !== undefined && { declaration }),
    make: async (outside, settings = []) => {
      const values = declaration === undefined ? {} : optionValues(declaration, settings);
      let made: unknown;
      try {
        made = await (factory as (given: Outside, values: object) => unknown)(outside, values);
      } catch (error) {
        // It says itself what is wrong, and with what.
        if (isCapstanError(error)) throw error;
        const message = `${where}: ${role.factory} failed: ${messageOf(error)}`;
        throw failure("module.factory_failed", "FactoryFailed", message, error);
      }
      checked(made, role, where, problem);
      return made as Made;
    },
  };
};
