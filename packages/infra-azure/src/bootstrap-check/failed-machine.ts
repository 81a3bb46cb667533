import { isJsonObject } from "@capstan/schema";
import type { AzureResource } from "../cloud/azure-api.ts";

const listIn = (value: unknown, name: string): readonly Readonly<Record<string, unknown>>[] => {
  const list = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
};

const codesOf = (view: unknown): readonly string[] =>
  listIn(view, "statuses").flatMap(({ code }) => (typeof code === "string" ? [code.toLowerCase()] : []));

const hasFailed = (view: unknown): boolean => codesOf(view).some((code) => code.startsWith("provisioningstate/failed"));

/**
 * Whether a virtual machine is only called Failed because an extension of it has failed: it runs, and what failed is the matter of the
 * extension's own condition.
 */
export const isFailedByExtension = ({ properties }: AzureResource): boolean => {
  const view = properties?.["instanceView"];
  return codesOf(view).includes("powerstate/running") && listIn(view, "extensions").some(hasFailed);
};
