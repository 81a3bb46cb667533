import { type StructuralSchema, own } from "@capstan/schema";
import { Hardware } from "../api/hardware.ts";

const capital = new Set("dhcp gid guid id ip ipxe iso mac osie pxe pxelinux rpi ssh tftp uefi uid url vlan".split(" "));

/** Fields whose Go names do not follow the rule. */
const irregular: Readonly<Record<string, string>> = {
  allow_pxe: "AllowPxe",
  always_pxe: "AlwaysPxe",
  ipxe_script_url: "IpxeScriptURL",
};

const wordsOf = (name: string): readonly string[] => name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+/g) ?? [name];

const goWord = (word: string): string =>
  capital.has(word.toLowerCase()) ? word.toUpperCase() : word[0]!.toUpperCase() + word.slice(1);

/** The name of a field in Go by its name in JSON: `lease_time` is `LeaseTime`, `vlan_id` is `VLANID`. */
const goName = (name: string): string => own(irregular, name) ?? wordsOf(name).map(goWord).join("");

const zeroOf = ({ items, properties, type, ...schema }: StructuralSchema): unknown => {
  if (items !== undefined) return [];
  // Structs stand behind pointers, which are nil.
  if (properties !== undefined) return null;
  if (schema.additionalProperties !== undefined) return {};
  return type === "string" ? "" : type === "integer" ? 0 : type === "boolean" ? false : null;
};

/** A value with Go names; fields that are not there have the zero value of their type, as in a struct. */
const withGoNames = (schema: StructuralSchema, value: unknown): unknown => {
  if (value === undefined || value === null) return zeroOf(schema);
  if (schema.items !== undefined) return (value as readonly unknown[]).map((item) => withGoNames(schema.items!, item));
  if (schema.properties === undefined) return value;
  const members = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, of]) => [goName(name), withGoNames(of, members[name])]),
  );
};

const specSchema = Hardware.schema.properties?.["spec"] ?? {};

/** The whole spec of a Hardware by its names in Go. */
export const legacySpec = ({ spec }: Hardware): unknown => withGoNames(specSchema, spec ?? {});

/** Returns the value of `.Hardware` in older templates: parts of a Hardware by their names in Go, and disks as a list of devices. */
export const legacyHardware = ({ spec = {} }: Partial<Pick<Hardware, "spec">>) => {
  const part = (name: "interfaces" | "metadata" | "userData" | "vendorData") =>
    withGoNames(specSchema.properties?.[name] ?? {}, spec[name]);
  return {
    Disks: (spec.disks ?? []).map(({ device = "" }) => device),
    Interfaces: part("interfaces"),
    Metadata: part("metadata"),
    UserData: part("userData"),
    VendorData: part("vendorData"),
  };
};
