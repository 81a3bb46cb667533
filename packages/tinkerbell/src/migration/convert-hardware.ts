import { isJsonObject, type JsonObject, type StructuralSchema } from "@capstan/schema";
import { prune } from "@capstan/schema/structural";
import { Hardware } from "../api/hardware.ts";
import { legacyId } from "./names.ts";

/** Object converted from a record, and notes on what could not be migrated. */
export interface Converted<T> {
  readonly object: T;
  readonly notes: readonly string[];
}

const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Without members that say nothing: the old API wrote them all. */
const present = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(present);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, of]) => [name, present(of)] as const);
  return Object.fromEntries(
    members.filter(
      ([, of]) =>
        of !== null &&
        of !== undefined &&
        of !== "" &&
        !(isJsonObject(of) && Object.keys(of).length === 0) &&
        !(Array.isArray(of) && of.length === 0),
    ),
  );
};

const renamed = (of: JsonObject, names: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [names[name] ?? name, value]));

/** Numbers and flags that some exports have as texts, by what the field is. */
const typed = (schema: StructuralSchema | undefined, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => typed(schema?.items, item));
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, typed(schema?.properties?.[name], of)]));
  }
  if (typeof value !== "string") return value;
  if (schema?.type === "integer" && /^-?\d{1,15}$/.test(value)) return Number(value);
  return schema?.type === "boolean" && /^(?:true|false)$/.test(value) ? value === "true" : value;
};

const convertInterface = (value: unknown): JsonObject => {
  const { dhcp, netboot } = objectOf(value);
  const { osie, ...booting } = renamed(objectOf(netboot), { allow_pxe: "allowPXE", allow_workflow: "allowWorkflow" });
  const { mac, ...offered } = objectOf(dhcp);
  return {
    ...(isJsonObject(dhcp) && { dhcp: { ...offered, mac: textOf(mac).toLowerCase().replaceAll("-", ":") } }),
    ...(isJsonObject(netboot) && {
      netboot: { ...booting, osie: renamed(objectOf(osie), { base_url: "baseURL", kernel_params: "kernelParams" }) },
    }),
  };
};

/** Metadata is a JSON text in what `tink` prints, and an object in files that were pushed. */
const metadataOf = (value: unknown): { readonly metadata: JsonObject; readonly notes: readonly string[] } => {
  if (typeof value !== "string" || value === "") return { metadata: objectOf(value), notes: [] };
  try {
    return { metadata: objectOf(JSON.parse(value)), notes: [] };
  } catch {
    return { metadata: {}, notes: ["metadata is not JSON and is left out"] };
  }
};

/** The record of a row is in `data`. */
const recordOf = (record: JsonObject): JsonObject => {
  const { data, ...row } = record;
  return isJsonObject(data) ? { ...data, id: textOf(data["id"]) || textOf(row["id"]) } : record;
};

export const hardwareId = (record: JsonObject): string => textOf(recordOf(record)["id"]);

/** Returns the title of a Hardware record: its host name, else that of its first interface, else its id. */
export const hardwareTitle = (record: JsonObject): string => {
  const of = recordOf(record);
  const { metadata } = metadataOf(of["metadata"]);
  const first = listOf(objectOf(of["network"])["interfaces"])[0];
  const hostname = textOf(objectOf(objectOf(first)["dhcp"])["hostname"]);
  return textOf(objectOf(metadata["instance"])["hostname"]) || hostname || textOf(of["id"]);
};

/** Returns the Hardware of a record; the notes name what the present kind does not have. */
export const convertHardware = (
  record: JsonObject,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): Converted<Hardware> => {
  const of = recordOf(record);
  const { metadata, notes } = metadataOf(of["metadata"]);
  const { operating_system_version: system, userdata, ...instance } = objectOf(metadata["instance"]);
  const devices = listOf(objectOf(instance["storage"])["disks"]).map((disk) => textOf(objectOf(disk)["device"]));
  const spec = present({
    interfaces: listOf(objectOf(of["network"])["interfaces"]).map(convertInterface),
    metadata: { ...metadata, instance: { ...instance, operating_system: system ?? instance["operating_system"] } },
    disks: devices.filter((device) => device !== "").map((device) => ({ device })),
    userData: textOf(userdata),
  });
  const whole = {
    apiVersion: "tinkerbell.org/v1alpha1",
    kind: "Hardware",
    metadata: { name, namespace, annotations: { [legacyId.Hardware]: hardwareId(record) } },
    spec,
  };
  const { unknown, value } = prune(Hardware.schema, typed(Hardware.schema, whole));
  const dropped = unknown.length === 0 ? [] : [`left out, because Hardware has no such fields: ${unknown.join(", ")}`];
  return { object: value as Hardware, notes: [...notes, ...dropped] };
};
