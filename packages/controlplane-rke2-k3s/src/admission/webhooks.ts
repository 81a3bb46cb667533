import { kthreesSpecRules, type SpecRules, specWebhooks } from "@capstan/bootstrap-rke2-k3s/spec";
import type { KindWebhooksV1 } from "@capstan/contract/v1";
import { forbidden } from "@capstan/kit/admission";
import { type Cause, type KubeObject, sameJson } from "@capstan/schema";
import * as api from "../api.ts";
import { converters } from "../conversion/converters.ts";
import { checkKthreesControlPlane, defaultedKthreesControlPlane } from "./kthrees-control-plane.ts";
import * as controlPlane from "./rke2-control-plane.ts";

const shared: SpecRules<controlPlane.Shared> = {
  complete: controlPlane.defaultedShared,
  check: controlPlane.checkShared,
  warnings: controlPlane.controlPlaneWarnings,
};

/** A template that objects were made from cannot become another one. */
const keepsSpec = (object: KubeObject, old: KubeObject | undefined): readonly Cause[] =>
  old === undefined || sameJson(old["spec"], object["spec"])
    ? []
    : [forbidden("spec", "a template is immutable; create a new one")];

const ofKthreesControlPlane = specWebhooks(
  api.KThreesControlPlane,
  "spec.kthreesConfigSpec",
  kthreesSpecRules,
  converters,
  (object, old) =>
    checkKthreesControlPlane(object as api.KThreesControlPlane, old as api.KThreesControlPlane | undefined),
);

const kthreesControlPlane: KindWebhooksV1 = {
  ...ofKthreesControlPlane,
  default: (object, ...rest) => {
    const complete = defaultedKthreesControlPlane(object);
    return ofKthreesControlPlane.default?.(complete, ...rest) ?? { object: complete };
  },
};

/** Conversion, defaults and rules of all kinds. */
export const allWebhooks: readonly KindWebhooksV1[] = [
  specWebhooks(
    api.RKE2ControlPlane,
    "spec",
    { ...shared, complete: controlPlane.defaultedControlPlaneSpec },
    converters,
    (object, old) =>
      controlPlane.checkControlPlane(object as api.RKE2ControlPlane, old as api.RKE2ControlPlane | undefined),
  ),
  specWebhooks(api.RKE2ControlPlaneTemplate, "spec.template.spec", shared, converters, keepsSpec),
  kthreesControlPlane,
  specWebhooks(api.KThreesControlPlaneTemplate, "spec.template.spec.kthreesConfigSpec", kthreesSpecRules, converters),
];
