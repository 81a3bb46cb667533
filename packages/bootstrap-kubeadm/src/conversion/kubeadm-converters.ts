import { converterOf, fields, plainBool, type Move } from "@capstan/kit/admission";
import { KubeadmConfig, KubeadmConfigTemplate, KubeadmConfigTemplateV1Beta1, KubeadmConfigV1Beta1 } from "../api.ts";
import { kubeadmConfigSpecShape } from "./kubeadm-config-spec.ts";

const deprecated = ["conditions", "failureReason", "failureMessage"].map((name): Move => [
  `status.${name}`,
  `status.deprecated.v1beta1.${name}`,
]);

const config = fields(
  [
    ["spec", "spec", kubeadmConfigSpecShape],
    ["status.ready", "status.initialization.dataSecretCreated", plainBool],
    ["status.v1beta2.conditions", "status.conditions"],
    ...deprecated,
  ],
  { zeros: { spec: {}, status: {}, "status.ready": false } },
);

const template = fields([["spec.template.spec", "spec.template.spec", kubeadmConfigSpecShape]], {
  zeros: { "spec.template.metadata": {} },
});

/** Converts KubeadmConfigs between v1beta1 and v1beta2. */
export const convertKubeadmConfig = converterOf({ older: KubeadmConfigV1Beta1, newer: KubeadmConfig, shape: config });

/** Converts KubeadmConfigTemplates between v1beta1 and v1beta2. */
export const convertKubeadmConfigTemplate = converterOf({
  older: KubeadmConfigTemplateV1Beta1,
  newer: KubeadmConfigTemplate,
  shape: template,
});
