import { between, type Causes, dnsLabel, forbidden, invalid, oneOf, required } from "./causes.ts";
import { listOf, type Part, partOf, textOf } from "./object-parts.ts";
import { millisOf } from "./quantity.ts";

/** A cause when a path leaves the folder that it is in. */
export const pathCauses = (field: string, value: unknown): Causes => {
  const path = textOf(value);
  return path.startsWith("/") || path.split("/").includes("..")
    ? [invalid(field, path, "must be a relative path that does not contain '..'")]
    : [];
};

const hostPathTypes = [
  "",
  "DirectoryOrCreate",
  "Directory",
  "FileOrCreate",
  "File",
  "Socket",
  "CharDevice",
  "BlockDevice",
];

/** Causes of a path of the host. */
export const hostPathCauses = (value: unknown, field: string): Causes => {
  const { path, type } = partOf(value);
  return [
    ...(textOf(path).split("/").includes("..") ? [invalid(`${field}.path`, path, "must not contain '..'")] : []),
    ...oneOf(`${field}.type`, type, hostPathTypes),
  ];
};

const filesCauses = (source: Part, field: string): Causes => [
  ...between(`${field}.defaultMode`, source["defaultMode"], 0, 0o777),
  ...listOf(source["items"]).flatMap((item, index) => [
    ...pathCauses(`${field}.items[${index}].path`, partOf(item)["path"]),
    ...between(`${field}.items[${index}].mode`, partOf(item)["mode"], 0, 0o777),
  ]),
];

/** In the order in which Kubernetes looks at sources: of several the first counts. */
const sources: Readonly<Record<string, (source: Part, field: string) => Causes>> = {
  emptyDir: ({ sizeLimit }, field) =>
    (millisOf(sizeLimit) ?? 0n) < 0n
      ? [forbidden(`${field}.sizeLimit`, "SizeLimit field must be a valid resource quantity")]
      : [],
  hostPath: (source, field) => hostPathCauses(source, field),
  secret: (source, field) => [
    ...(textOf(source["secretName"]) === "" ? [required(`${field}.secretName`)] : []),
    ...filesCauses(source, field),
  ],
  nfs: () => [],
  persistentVolumeClaim: () => [],
  downwardAPI: (source, field) => filesCauses(source, field),
  configMap: (source, field) => [
    ...(textOf(source["name"]) === "" ? [required(`${field}.name`)] : []),
    ...filesCauses(source, field),
  ],
  projected: ({ defaultMode }, field) => between(`${field}.defaultMode`, defaultMode, 0, 0o777),
  csi: () => [],
  ephemeral: () => [],
};

/** Causes of one volume of a Pod. */
export const volumeCauses = (volume: Part, field: string): Causes => {
  const [first, ...more] = Object.keys(sources).filter((name) => (volume[name] ?? undefined) !== undefined);
  return [
    ...dnsLabel(`${field}.name`, volume["name"]),
    ...(first === undefined ? [] : (sources[first]?.(partOf(volume[first]), `${field}.${first}`) ?? [])),
    ...more.map((name) => forbidden(`${field}.${name}`, "may not specify more than 1 volume type")),
  ];
};
