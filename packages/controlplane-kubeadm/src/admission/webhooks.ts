import { configWarnings } from "@capstan/bootstrap-kubeadm/spec";
import type { KindWebhooksV1 } from "@capstan/contract/v1";
import { KubeadmControlPlane, KubeadmControlPlaneTemplate } from "../api.ts";
import { kubeadmControlPlaneConverters } from "../conversion/kubeadm-control-plane-converters.ts";
import { defaultControlPlane } from "./defaults.ts";
import { validateControlPlane, validateTemplate } from "./rules.ts";

const convert = ({ plural, group }: { readonly plural: string; readonly group: string }) => {
  const converter = kubeadmControlPlaneConverters[`${plural}.${group}`];
  return converter === undefined ? {} : { convert: converter };
};

const controlPlane: KindWebhooksV1<KubeadmControlPlane> = {
  kind: KubeadmControlPlane,
  ...convert(KubeadmControlPlane),
  default: (object) => ({
    object: defaultControlPlane(object),
    warnings: configWarnings(
      (object.spec as Partial<typeof object.spec> | undefined)?.kubeadmConfigSpec,
      "spec.kubeadmConfigSpec",
    ),
  }),
  validate: (object, { old }) => validateControlPlane(object, old),
};

const template: KindWebhooksV1<KubeadmControlPlaneTemplate> = {
  kind: KubeadmControlPlaneTemplate,
  ...convert(KubeadmControlPlaneTemplate),
  validate: (object, { old }) => validateTemplate(object, old),
};

/** Conversion, defaults and rules of the kinds. */
export const webhooks: readonly KindWebhooksV1[] = [controlPlane, template] as readonly KindWebhooksV1[];
