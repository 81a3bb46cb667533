import { forbidden, invalid, packedFileCauses, translationCauses } from "@capstan/kit/admission";
import { translateConfig } from "@capstan/kit/bootstrap";
import type { Cause } from "@capstan/schema";
import type { KubeadmConfigSpec } from "../api/kubeadm-config.v1beta2.ts";

const cloudConfigOnly = "not supported by Ignition; use format cloud-config, or remove it";

const unsupported = (
  { bootCommands, diskSetup = {}, files = [], users = [] }: KubeadmConfigSpec,
  path: string,
): readonly Cause[] => {
  const disk = `${path}.diskSetup`;
  const fields = [
    ...users.map(({ inactive }, index) => inactive === true && `${path}.users[${index}].inactive`),
    bootCommands !== undefined && `${path}.bootCommands`,
    ...(diskSetup.filesystems ?? []).flatMap(({ partition, replaceFS }, index) => [
      replaceFS !== undefined && `${disk}.filesystems[${index}].replaceFS`,
      partition !== undefined && `${disk}.filesystems[${index}].partition`,
    ]),
    ...(diskSetup.partitions ?? []).map(
      ({ diskLayout }, index) => diskLayout !== undefined && `${disk}.partitions[${index}].diskLayout`,
    ),
  ];
  return [
    ...packedFileCauses(files, `${path}.files`),
    ...fields.flatMap((field) => (field === false ? [] : [forbidden(field, cloudConfigOnly)])),
    ...(diskSetup.partitions ?? []).flatMap(({ tableType }, index) =>
      tableType === undefined || tableType === "gpt"
        ? []
        : [invalid(`${disk}.partitions[${index}].tableType`, tableType, "Ignition only creates gpt partition tables")],
    ),
  ];
};

const additionalCauses = ({ ignition }: KubeadmConfigSpec, path: string): readonly Cause[] => {
  const { additionalConfig, strict = false } = ignition?.containerLinuxConfig ?? {};
  if (additionalConfig === undefined) return [];
  const field = `${path}.ignition.containerLinuxConfig.additionalConfig`;
  const form = "Butane or a Container Linux Config";
  return translationCauses(translateConfig(additionalConfig), field, { form, strict });
};

/** Validates a configuration in the Ignition format, and settings of Ignition in another format. */
export const ignitionCauses = (spec: KubeadmConfigSpec, path: string): readonly Cause[] => {
  const { format = "cloud-config", ignition } = spec;
  if (format === "ignition") return [...unsupported(spec, path), ...additionalCauses(spec, path)];
  return ignition === undefined
    ? []
    : [invalid(`${path}.format`, format, "must be ignition when the field ignition is set")];
};
