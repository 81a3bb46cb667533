import { invalid, nulCauses, repeats } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import { ignitionCauses } from "./ignition-causes.ts";
import type { KubeadmConfigSpec } from "../api/kubeadm-config.v1beta2.ts";

type Rule = (spec: KubeadmConfigSpec, path: string) => readonly Cause[];

const fileCauses: Rule = ({ files = [] }, path) => {
  const isRepeated = repeats(files.map((file) => file.path));
  return files.flatMap((file, index) => [
    ...(file.content !== undefined && file.contentFrom !== undefined
      ? [invalid(`${path}.files[${index}]`, file.path, "only one of content and contentFrom may be set")]
      : []),
    ...(isRepeated[index] === true
      ? [invalid(`${path}.files[${index}].path`, file.path, "another file has the same path")]
      : []),
  ]);
};

const userCauses: Rule = ({ users = [] }, path) =>
  users.flatMap(({ name, passwd, passwdFrom }, index) =>
    passwd !== undefined && passwdFrom !== undefined
      ? [invalid(`${path}.users[${index}]`, name, "only one of passwd and passwdFrom may be set")]
      : [],
  );

const diskCauses: Rule = ({ diskSetup }, path) =>
  (diskSetup?.partitions ?? []).flatMap(({ diskLayout = [] }, index) => {
    const sum = diskLayout.reduce((total, { percentage }) => total + percentage, 0);
    return sum > 100
      ? [invalid(`${path}.diskSetup.partitions[${index}].diskLayout`, sum, "the percentages add up to more than 100")]
      : [];
  });

const userOfDiscovery: Rule = ({ joinConfiguration }, path) => {
  const user = joinConfiguration?.discovery?.file?.kubeConfig?.user;
  return user?.authProvider !== undefined && user.exec !== undefined
    ? [
        invalid(
          `${path}.joinConfiguration.discovery.file.kubeConfig.user`,
          user.authProvider.name,
          "only one of authProvider and exec may be set",
        ),
      ]
    : [];
};

const tokenCauses: Rule = ({ initConfiguration }, path) =>
  (initConfiguration?.bootstrapTokens ?? []).flatMap(({ token }, index) =>
    /^[a-z0-9]{6}\.[a-z0-9]{16}$/.test(token)
      ? []
      : [
          // It may be a secret all the same.
          invalid(
            `${path}.initConfiguration.bootstrapTokens[${index}].token`,
            "***",
            "must be 6 and 16 lowercase letters and digits separated by a dot, for example abcdef.0123456789abcdef",
          ),
        ],
  );

/** Validates the configuration of a machine at any path of an object. */
export const configCauses: Rule = (spec, path) =>
  [nulCauses, fileCauses, userCauses, diskCauses, tokenCauses, userOfDiscovery, ignitionCauses].flatMap((rule) =>
    rule(spec, path),
  );
