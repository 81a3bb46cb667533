import { converterTable, fields, plainBool, type Move } from "@capstan/kit/conversion";
import { KubeadmConfig, KubeadmConfigTemplate, KubeadmConfigTemplateV1Beta1, KubeadmConfigV1Beta1 } from "../api.ts";
import { kubeadmConfigSpecShape } from "./kubeadm-config-spec.ts";

const deprecated = ["conditions", "failureReason", "failureMessage"].map((name): Move => [
  `status.${name}`,
  `status.deprecated.v1beta1.${name}`,
]);

const config = fields([
  ["spec", "spec", kubeadmConfigSpecShape],
  ["status.ready", "status.initialization.dataSecretCreated", plainBool],
  ["status.v1beta2.conditions", "status.conditions"],
  ...deprecated,
]);

const template = fields([["spec.template.spec", "spec.template.spec", kubeadmConfigSpecShape]]);

/** Converts KubeadmConfigs and their templates between v1beta1 and v1beta2, by the names of their definitions. */
export const kubeadmConverters = converterTable([
  { older: KubeadmConfigV1Beta1, newer: KubeadmConfig, shape: config },
  { older: KubeadmConfigTemplateV1Beta1, newer: KubeadmConfigTemplate, shape: template },
]);
