import { between, type Causes, duplicate, invalid, oneOf, required } from "./causes.ts";
import { isSet, listOf, type Part, partOf, textOf } from "../../values/object-parts.ts";
import { pathCauses } from "./volume.ts";

/** Largest user and group id. */
const largestId = 2_147_483_647;

const idCauses = (context: Part, field: string, names: readonly string[]): Causes =>
  names.flatMap((name) => between(`${field}.${name}`, context[name], 0, largestId));

/** Causes of a profile that is the runtime's, none, or one that lies on the node. */
const profileCauses = (profile: unknown, field: string, isGiven: (path: unknown) => boolean): Causes => {
  const { type, localhostProfile } = partOf(profile);
  const isLocal = type === "Localhost";
  return [
    ...oneOf(`${field}.type`, type, ["Localhost", "RuntimeDefault", "Unconfined"]),
    ...(isLocal && !isGiven(localhostProfile)
      ? [required(`${field}.localhostProfile`, "must be set when the type is Localhost")]
      : []),
    ...(!isLocal && textOf(type) !== "" && localhostProfile !== undefined && localhostProfile !== null
      ? [invalid(`${field}.localhostProfile`, localhostProfile, "can only be set when the type is Localhost")]
      : []),
  ];
};

const profilesCauses = ({ seccompProfile, appArmorProfile }: Part, field: string): Causes => [
  ...profileCauses(seccompProfile, `${field}.seccompProfile`, isSet),
  ...pathCauses(`${field}.seccompProfile.localhostProfile`, partOf(seccompProfile)["localhostProfile"]),
  ...profileCauses(appArmorProfile, `${field}.appArmorProfile`, (path) => textOf(path) !== ""),
];

const sysctl = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const longestSysctl = 253;

const sysctlCauses = (list: readonly unknown[], field: string): Causes => {
  const seen = new Set<string>();
  return list.flatMap((value, index): Causes => {
    const name = textOf(partOf(value)["name"]);
    const at = `${field}[${index}].name`;
    if (name === "") {
      return [];
    }
    if (name.length > longestSysctl || !sysctl.test(name)) {
      return [invalid(at, name, "is not a name of a kernel parameter")];
    }
    const isKnown = seen.has(name);
    seen.add(name);
    return isKnown ? [duplicate(at, name)] : [];
  });
};

/** Causes of the security context of a Pod. */
export const podSecurityCauses = (spec: Part, field: string): Causes => {
  const context = partOf(spec["securityContext"]);
  return [
    ...(spec["hostPID"] === true && spec["shareProcessNamespace"] === true
      ? [invalid(`${field}.shareProcessNamespace`, true, "ShareProcessNamespace and HostPID cannot both be enabled")]
      : []),
    ...idCauses(context, field, ["runAsUser", "runAsGroup", "fsGroup"]),
    ...listOf(context["supplementalGroups"]).flatMap((group, index) =>
      between(`${field}.supplementalGroups[${index}]`, group, 0, largestId),
    ),
    ...oneOf(`${field}.fsGroupChangePolicy`, context["fsGroupChangePolicy"], ["Always", "OnRootMismatch"]),
    ...oneOf(`${field}.seLinuxChangePolicy`, context["seLinuxChangePolicy"], ["MountOption", "Recursive"]),
    ...oneOf(`${field}.supplementalGroupsPolicy`, context["supplementalGroupsPolicy"], ["Merge", "Strict"]),
    ...sysctlCauses(listOf(context["sysctls"]), `${field}.sysctls`),
    ...profilesCauses(context, field),
  ];
};

/** Causes of the security context of a container; `spec` is that of its Pod. */
export const containerSecurityCauses = (value: unknown, field: string, spec: Part): Causes => {
  const context = partOf(value);
  const { privileged, allowPrivilegeEscalation, procMount } = context;
  const isHeldDown = allowPrivilegeEscalation === false;
  const isAdministrator = listOf(partOf(context["capabilities"])["add"]).includes("CAP_SYS_ADMIN");
  return [
    ...idCauses(context, field, ["runAsUser", "runAsGroup"]),
    ...oneOf(`${field}.procMount`, procMount, ["Default", "Unmasked"]),
    ...(procMount === "Unmasked" && spec["hostUsers"] !== false
      ? [invalid(`${field}.procMount`, procMount, "`hostUsers` must be false to use `Unmasked`")]
      : []),
    ...profilesCauses(context, field),
    ...(isHeldDown && privileged === true
      ? [invalid(field, "", "cannot set `allowPrivilegeEscalation` to false and `privileged` to true")]
      : []),
    ...(isHeldDown && isAdministrator
      ? [invalid(field, "", "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN")]
      : []),
  ];
};
