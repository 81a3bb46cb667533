import type { KubeObject } from "@capstan/schema";
import { isSet, type Part, partOf, specOf, textOf } from "../../values/object-parts.ts";
import { between, type Causes, dnsLabel, invalid, required } from "./causes.ts";
import { dnsSubdomain } from "./names.ts";

const priorityCauses = (spec: Part, name: string, most: number): Causes =>
  between(`spec.${name}`, spec[name] ?? 0, 1, most);

/** Who serves the version, and how he is known. */
const serviceCauses = ({ service, caBundle, insecureSkipTLSVerify }: Part): Causes => {
  const trust = textOf(caBundle) !== "";
  const insecure = insecureSkipTLSVerify === true;
  const field = "spec.insecureSkipTLSVerify";
  if (!isSet(service)) {
    return [
      ...(trust ? [invalid("spec.caBundle", "...", "local APIServices may not have a caBundle")] : []),
      ...(insecure ? [invalid(field, true, "local APIServices may not have insecureSkipTLSVerify")] : []),
    ];
  }
  const { namespace, name, port } = partOf(service);
  return [
    ...(textOf(namespace) === "" ? [required("spec.service.namespace")] : []),
    ...(textOf(name) === "" ? [required("spec.service.name")] : []),
    ...between("spec.service.port", port, 1, 65_535),
    ...(trust && insecure ? [invalid(field, true, "may not be true if caBundle is present")] : []),
  ];
};

export const apiServiceCauses = (object: KubeObject): Causes => {
  const spec = specOf(object);
  const { name } = object.metadata;
  const [group, version] = [textOf(spec["group"]), textOf(spec["version"])];
  const expected = `${version}.${group}`;
  return [
    ...(name === expected ? [] : [invalid("metadata.name", name, `must be spec.version.spec.group: "${expected}"`)]),
    ...(group === "" && version !== "v1" ? [required("spec.group", "only v1 may have an empty group")] : []),
    ...dnsSubdomain("spec.group", group),
    ...(version === "" ? [invalid("spec.version", version, "must be a DNS label")] : dnsLabel("spec.version", version)),
    ...priorityCauses(spec, "groupPriorityMinimum", 20_000),
    ...priorityCauses(spec, "versionPriority", 1_000),
    ...serviceCauses(spec),
  ];
};
