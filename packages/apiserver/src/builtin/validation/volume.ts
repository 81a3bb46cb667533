import { builtinTypes } from "../types/builtin-types.ts";
import { claimSpecCauses } from "./claim.ts";
import { between, type Causes, dnsLabel, forbidden, invalid, oneOf, required } from "./causes.ts";
import { fieldReferenceCauses, fileFields, resourceReferenceCauses } from "./env.ts";
import { dnsSubdomain } from "./names.ts";
import { isSet, listOf, type Part, partOf, textOf } from "../../values/object-parts.ts";
import { millisOf } from "../../values/quantity.ts";

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

/** A cause when a path leaves its folder, or looks like a name that Kubernetes keeps for itself. */
const filePathCauses = (field: string, value: unknown): Causes =>
  /^\.\.[^/]/.test(textOf(value)) ? [invalid(field, value, "must not start with '..'")] : pathCauses(field, value);

const modeCauses = (value: unknown, field: string, name = "mode"): Causes =>
  between(`${field}.${name}`, partOf(value)[name], 0, 0o777);

const keysCauses = (source: Part, field: string): Causes =>
  listOf(source["items"]).flatMap((item, index) => {
    const at = `${field}.items[${index}]`;
    return [...filePathCauses(`${at}.path`, partOf(item)["path"]), ...modeCauses(item, at)];
  });

/** Kubernetes names the list of a Pod's own fields, and not its elements. */
const ownFieldsCauses = (source: Part, field: string): Causes =>
  listOf(source["items"]).flatMap((item) => {
    const { path, fieldRef, resourceFieldRef } = partOf(item);
    return [
      ...filePathCauses(`${field}.path`, path),
      ...modeCauses(item, field),
      ...(isSet(fieldRef) ? fieldReferenceCauses(fieldRef, `${field}.fieldRef`, fileFields) : []),
      ...(isSet(fieldRef) && isSet(resourceFieldRef)
        ? [invalid(field, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously")]
        : []),
      ...(isSet(fieldRef) || !isSet(resourceFieldRef)
        ? []
        : containerResourceCauses(partOf(resourceFieldRef), `${field}.resourceFieldRef`)),
      ...(isSet(fieldRef) || isSet(resourceFieldRef)
        ? []
        : [required(field, "one of fieldRef and resourceFieldRef is required")]),
    ];
  });

const containerResourceCauses = (reference: Part, field: string): Causes => [
  ...(textOf(reference["containerName"]) === "" ? [required(`${field}.containerName`)] : []),
  ...resourceReferenceCauses(reference, field),
];

const named = (source: Part, field: string, name: string): Causes =>
  textOf(source[name]) === "" ? [required(`${field}.${name}`)] : [];

const shortestToken = 600;
const longestToken = 2 ** 32;

/** Sources of a projected volume. */
const projections: Readonly<Record<string, (source: Part, field: string, list: string) => Causes>> = {
  secret: (source, field) => [...named(source, field, "name"), ...keysCauses(source, field)],
  configMap: (source, field) => [...named(source, field, "name"), ...keysCauses(source, field)],
  downwardAPI: (source, field) => ownFieldsCauses(source, field),
  serviceAccountToken: ({ path, expirationSeconds }, field, list) => [
    ...between(`${field}.expirationSeconds`, expirationSeconds, shortestToken, longestToken),
    ...filePathCauses(`${list}.path`, path),
  ],
  clusterTrustBundle: () => [],
  podCertificate: () => [],
};

const pathsOf = (source: Part): readonly string[] => {
  const { path } = partOf(source["serviceAccountToken"]);
  const items = ["secret", "configMap", "downwardAPI"].flatMap((name) => listOf(partOf(source[name])["items"]));
  return [path, ...items.map((item) => partOf(item)["path"])].map(textOf).filter((text) => text !== "");
};

const projectedCauses = (volume: Part, field: string): Causes => {
  const taken = new Set<string>();
  return [
    ...modeCauses(volume, field, "defaultMode"),
    ...listOf(volume["sources"]).flatMap((value, index): Causes => {
      const source = partOf(value);
      const at = `${field}.sources[${index}]`;
      const [first, ...more] = Object.keys(projections).filter((name) => isSet(source[name]));
      const repeated = pathsOf(source).filter((path) => taken.has(path));
      for (const path of pathsOf(source)) taken.add(path);
      return [
        ...(first === undefined ? [] : (projections[first]?.(partOf(source[first]), `${at}.${first}`, field) ?? [])),
        ...more.map(() => forbidden(at, "may not specify more than 1 volume type per source")),
        ...repeated.map((path) => invalid(field, path, "conflicting duplicate paths")),
      ];
    }),
  ];
};

/** Checks of the sources that have any. */
const checks: Readonly<Record<string, (source: Part, field: string) => Causes>> = {
  emptyDir: ({ sizeLimit }, field) =>
    (millisOf(sizeLimit) ?? 0n) < 0n
      ? [forbidden(`${field}.sizeLimit`, "SizeLimit field must be a valid resource quantity")]
      : [],
  hostPath: (source, field) => hostPathCauses(source, field),
  secret: (source, field) => [
    ...named(source, field, "secretName"),
    ...modeCauses(source, field, "defaultMode"),
    ...keysCauses(source, field),
  ],
  nfs: ({ path }, field) =>
    textOf(path).startsWith("/") ? [] : [invalid(`${field}.path`, path, "must be an absolute path")],
  downwardAPI: (source, field) => [...modeCauses(source, field, "defaultMode"), ...ownFieldsCauses(source, field)],
  configMap: (source, field) => [
    ...named(source, field, "name"),
    ...modeCauses(source, field, "defaultMode"),
    ...keysCauses(source, field),
  ],
  projected: (source, field) => projectedCauses(source, field),
  csi: ({ driver }, field) => dnsSubdomain(`${field}.driver`, textOf(driver).toLowerCase()),
  ephemeral: ({ volumeClaimTemplate: template }, field) =>
    isSet(template)
      ? claimSpecCauses(partOf(partOf(template)["spec"]), `${field}.volumeClaimTemplate.spec`)
      : [required(`${field}.volumeClaimTemplate`)],
  image: (source, field) => [
    ...named(source, field, "reference"),
    ...oneOf(`${field}.pullPolicy`, source["pullPolicy"], ["Always", "IfNotPresent", "Never"]),
  ],
};

/** All sources, those with checks in the order in which Kubernetes looks at them: of several the first counts. */
const sources = [
  ...new Set([
    "emptyDir",
    "hostPath",
    "secret",
    "nfs",
    "persistentVolumeClaim",
    "downwardAPI",
    "configMap",
    ...(builtinTypes.find("core", "VolumeSource")?.fields ?? []).map(({ name }) => name),
  ]),
];

/** Causes of one volume of a Pod. */
export const volumeCauses = (volume: Part, field: string): Causes => {
  const [first, ...more] = sources.filter((name) => isSet(volume[name]));
  return [
    ...dnsLabel(`${field}.name`, volume["name"]),
    ...(first === undefined ? [] : (checks[first]?.(partOf(volume[first]), `${field}.${first}`) ?? [])),
    ...more.map((name) => forbidden(`${field}.${name}`, "may not specify more than 1 volume type")),
  ];
};
