import { type Causes, forbidden, invalid, notFound, oneOf } from "./causes.ts";
import { isSet, listOf, type Part, partOf, textOf } from "../../values/object-parts.ts";
import { pathCauses } from "./volume.ts";

/** Volumes of a Pod by name. */
export type Volumes = ReadonlyMap<string, Part>;

const propagationCauses = ({ mountPropagation }: Part, field: string, isPrivileged: boolean): Causes => [
  ...oneOf(field, mountPropagation, ["Bidirectional", "HostToContainer", "None"]),
  ...(mountPropagation === "Bidirectional" && !isPrivileged
    ? [forbidden(field, "Bidirectional mount propagation is available only to privileged containers")]
    : []),
];

const readOnlyCauses = ({ recursiveReadOnly, readOnly, mountPropagation }: Part, field: string): Causes => [
  ...oneOf(field, recursiveReadOnly, ["Disabled", "Enabled", "IfPossible"]),
  ...(recursiveReadOnly === "Enabled" && readOnly !== true
    ? [forbidden(field, "may only be specified when readOnly is true")]
    : []),
  ...(recursiveReadOnly === "Enabled" && isSet(mountPropagation) && mountPropagation !== "None"
    ? [forbidden(field, "may only be specified when mountPropagation is None or not specified")]
    : []),
];

const valuesOf = (list: readonly unknown[], name: string): ReadonlySet<string> =>
  new Set(list.map((item) => textOf(partOf(item)[name])));

/** Indices of elements whose text stood before. */
const repeated = (list: readonly unknown[], name: string): ReadonlySet<number> => {
  const seen = new Set<string>();
  const found = new Set<number>();
  for (const [index, item] of list.entries()) {
    const text = textOf(partOf(item)[name]);
    if (text !== "" && seen.has(text)) found.add(index);
    seen.add(text);
  }
  return found;
};

const mountsCauses = (container: Part, field: string, volumes: Volumes): Causes => {
  const mounts = listOf(container["volumeMounts"]);
  const devices = listOf(container["volumeDevices"]);
  const [names, paths] = [valuesOf(devices, "name"), valuesOf(devices, "devicePath")];
  const isPrivileged = partOf(container["securityContext"])["privileged"] === true;
  const twice = repeated(mounts, "mountPath");
  return mounts.flatMap((value, index) => {
    const mount = partOf(value);
    const [name, path] = [textOf(mount["name"]), textOf(mount["mountPath"])];
    const at = `${field}[${index}]`;
    return [
      ...(volumes.has(name) ? [] : [notFound(`${at}.name`, name)]),
      ...(twice.has(index) ? [invalid(`${at}.mountPath`, path, "must be unique")] : []),
      ...(names.has(name) ? [invalid(`${at}.name`, name, "must not already exist in volumeDevices")] : []),
      ...(paths.has(path)
        ? [invalid(`${at}.mountPath`, path, "must not already exist as a path in volumeDevices")]
        : []),
      ...(textOf(mount["subPath"]) !== "" && textOf(mount["subPathExpr"]) !== ""
        ? [invalid(`${at}.subPathExpr`, mount["subPathExpr"], "subPathExpr and subPath are mutually exclusive")]
        : []),
      ...pathCauses(`${field}.subPath`, mount["subPath"]),
      ...pathCauses(`${field}.subPathExpr`, mount["subPathExpr"]),
      ...propagationCauses(mount, `${field}.mountPropagation`, isPrivileged),
      ...readOnlyCauses(mount, `${field}.recursiveReadOnly`),
    ];
  });
};

const devicesCauses = (container: Part, field: string, volumes: Volumes): Causes => {
  const mounts = listOf(container["volumeMounts"]);
  const devices = listOf(container["volumeDevices"]);
  const [names, paths] = [valuesOf(mounts, "name"), valuesOf(mounts, "mountPath")];
  const [namedTwice, placedTwice] = [repeated(devices, "name"), repeated(devices, "devicePath")];
  return devices.flatMap((value, index) => {
    const device = partOf(value);
    const [name, path] = [textOf(device["name"]), textOf(device["devicePath"])];
    const volume = volumes.get(name);
    const isBlock = isSet(volume?.["persistentVolumeClaim"]) || isSet(volume?.["ephemeral"]);
    const at = `${field}[${index}]`;
    return [
      ...(namedTwice.has(index) ? [invalid(`${at}.name`, name, "must be unique")] : []),
      ...(volume === undefined ? [notFound(`${at}.name`, name)] : []),
      ...(volume !== undefined && !isBlock
        ? [invalid(`${at}.name`, name, "can only use volume source type of PersistentVolumeClaim or Ephemeral")]
        : []),
      ...(placedTwice.has(index) ? [invalid(`${at}.devicePath`, path, "must be unique")] : []),
      ...(path.split("/").includes("..") ? [invalid(`${at}.devicePath`, path, "must not contain '..'")] : []),
      ...(name !== "" && names.has(name)
        ? [invalid(`${at}.name`, name, "must not already exist in volumeMounts")]
        : []),
      ...(path !== "" && paths.has(path)
        ? [invalid(`${at}.devicePath`, path, "must not already exist as a path in volumeMounts")]
        : []),
    ];
  });
};

/** Causes of how a container mounts volumes and block devices. */
export const mountCauses = (container: Part, field: string, volumes: Volumes): Causes => [
  ...mountsCauses(container, `${field}.volumeMounts`, volumes),
  ...devicesCauses(container, `${field}.volumeDevices`, volumes),
];
