import { forbidden, invalid, required } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import type { DefaultedMachine } from "../machine/machine-defaults.ts";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Type and key; options may stand before them, a comment after. */
const keyLine = /(?:^|\s)(?:ssh-|ecdsa-|sk-)[\w@.-]+\s+[A-Za-z0-9+/]+=*(?:\s|$)/;

const assignedCauses = (
  { identity, userAssignedIdentities = [] }: DefaultedMachine,
  field: string,
): readonly Cause[] => {
  if (identity === "UserAssigned" && userAssignedIdentities.length === 0) {
    return [required(field, "at least one, since identity is UserAssigned")];
  }
  const isForbidden = identity !== "UserAssigned" && userAssignedIdentities.length > 0;
  return isForbidden ? [forbidden(field, "only where identity is UserAssigned")] : [];
};

/** Validates the name of a role assignment. A template cannot have one: each of its machines needs another name. */
const roleNameCauses = (name: string, field: string, isTemplate: boolean): readonly Cause[] => {
  if (name === "") return [];
  if (isTemplate) return [forbidden(field, "machines cloned from a template have their own names")];
  return uuid.test(name) ? [] : [invalid(field, name, "must be a UUID")];
};

const roleCauses = (spec: DefaultedMachine, path: string, isTemplate: boolean): readonly Cause[] => {
  const { identity, roleAssignmentName = "", systemAssignedIdentityRole: role } = spec;
  const only = "only where identity is SystemAssigned";
  const isOwn = identity === "SystemAssigned";
  return [
    ...(role !== undefined && !isOwn ? [forbidden(`${path}.systemAssignedIdentityRole`, only)] : []),
    ...(roleAssignmentName !== "" && !isOwn ? [forbidden(`${path}.roleAssignmentName`, only)] : []),
    ...(roleAssignmentName !== "" && (role?.name ?? "") !== ""
      ? [forbidden(`${path}.roleAssignmentName`, "mutually exclusive with systemAssignedIdentityRole.name")]
      : []),
    ...roleNameCauses(roleAssignmentName, `${path}.roleAssignmentName`, isTemplate),
    ...roleNameCauses(role?.name ?? "", `${path}.systemAssignedIdentityRole.name`, isTemplate),
  ];
};

const keyCauses = ({ sshPublicKey = "" }: DefaultedMachine, field: string): readonly Cause[] => {
  if (sshPublicKey === "") return [];
  const isBase64 = /^[A-Za-z0-9+/\s]+(?:=\s*){0,2}$/.test(sshPublicKey);
  const line = Buffer.from(sshPublicKey, "base64").toString("utf8").trim();
  return isBase64 && keyLine.test(line)
    ? []
    : [invalid(field, sshPublicKey, "must be a line of authorized_keys in base64")];
};

/** Validates the identity that a machine acts as at Azure, its role, and the SSH key for access to the machine. */
export const accessCauses = (spec: DefaultedMachine, path: string, isTemplate: boolean): readonly Cause[] => [
  ...assignedCauses(spec, `${path}.userAssignedIdentities`),
  ...roleCauses(spec, path, isTemplate),
  ...keyCauses(spec, `${path}.sshPublicKey`),
];
