import { Option } from "commander";
import { list } from "../flag-values.ts";
import {
  conversionRole,
  infrastructureRole,
  objectStoreRole,
  ownNames,
  providerRole,
  simulationRole,
  type ModuleRole,
} from "./module-role.ts";

/** The kinds of modules that flags name. */
export const moduleRoles: readonly ModuleRole[] = [
  providerRole,
  conversionRole,
  infrastructureRole,
  simulationRole,
  objectStoreRole,
];

const moduleOption = (role: ModuleRole, what: string, ours: string): Option =>
  new Option(`${role.flag} <names>`, `${what} (${ours}: ${ownNames(role).join(",")})`).argParser(list);

export const providersOption = (): Option =>
  moduleOption(providerRole, "comma-separated providers: names, npm packages or module paths", "default");

export const conversionsOption = (): Option =>
  moduleOption(
    conversionRole,
    "providers whose kinds the server converts itself: names, npm packages or paths",
    "default",
  );

export const simulateOption = (): Option =>
  moduleOption(simulationRole, "comma-separated clouds to simulate: names, npm packages or paths", "ours");

export const objectStoresOption = (): Option =>
  moduleOption(objectStoreRole, "object stores for large bootstrap data, like --providers", "default");
