import type { KindWebhooksV1 } from "@capstan/contract/v1";
import { annotationCauses, labelCauses } from "@capstan/kit/admission";
import { KubeadmConfigTemplate } from "../api/kubeadm-config-template.v1beta2.ts";
import { KubeadmConfig } from "../api/kubeadm-config.v1beta2.ts";
import { convertKubeadmConfig, convertKubeadmConfigTemplate } from "../conversion/kubeadm-converters.ts";
import { configCauses } from "./config-causes.ts";
import { configWarnings } from "./config-warnings.ts";

const config: KindWebhooksV1<KubeadmConfig> = {
  kind: KubeadmConfig,
  convert: convertKubeadmConfig,
  default: (object) => ({ object, warnings: configWarnings(object.spec, "spec") }),
  validate: ({ spec = {} }) => configCauses(spec, "spec"),
};

const path = "spec.template";

const template: KindWebhooksV1<KubeadmConfigTemplate> = {
  kind: KubeadmConfigTemplate,
  convert: convertKubeadmConfigTemplate,
  default: (object) => ({
    object,
    // The schema is checked after this: the template may be missing.
    warnings: configWarnings((object.spec as Partial<typeof object.spec>)?.template?.spec, `${path}.spec`),
  }),
  validate: ({ spec }) => [
    ...labelCauses(spec?.template.metadata?.labels, `${path}.metadata.labels`),
    ...annotationCauses(spec?.template.metadata?.annotations, `${path}.metadata.annotations`),
    ...configCauses(spec?.template.spec ?? {}, `${path}.spec`),
  ],
};

/** Conversion, rules and warnings of the kinds. */
export const webhooks: readonly KindWebhooksV1[] = [config, template] as readonly KindWebhooksV1[];
